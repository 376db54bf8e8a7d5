#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "app/verbs/debug/adapter.h"

namespace warpwalk::debug::testing {

/// A client of the Debug Adapter Protocol that talks to an adapter in this process.
class DapClient {
 public:
  DapClient();

  /// Sends a request; returns its response. `arguments`: JSON.
  const rapidjson::Document& request(const std::string& command, const std::string& arguments = "{}");
  /// initialize, launch and configurationDone. Throws if it cannot be debugged.
  void launch(const std::string& program, const std::string& code);
  /// Sends any text as a message. Returns false when the adapter is done.
  bool send(std::string_view message) { return adapter_->handle(message); }

  /// Has the adapter look at a message that it gets later.
  void arrive(std::string_view message) { adapter_->arrives(message); }
  /// The number of the next request.
  int next_request() const { return sequence_ + 1; }

  /// The last event of this name since the last request; null if there was none.
  const rapidjson::Document* event(std::string_view name) const;
  /// Requests since launch().
  int requests() const { return requests_; }
  /// All messages of the adapter since the last request.
  std::size_t messages() const { return received_.size(); }
  /// The innermost frame's line of the thread of the last stop.
  int line();

 private:
  std::unique_ptr<verbs::DebugAdapter> adapter_;
  std::vector<std::unique_ptr<rapidjson::Document>> received_;
  rapidjson::Document none_;
  std::int64_t thread_ = 1;
  int sequence_ = 0, requests_ = 0;
};

}  // namespace warpwalk::debug::testing
