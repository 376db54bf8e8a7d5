// Fuzzes the debug adapter: each line of the input is a message of a client, while a kernel is debugged. Each request
// gets one response. Nothing crashes, and all output is JSON.
// Called by libFuzzer or driver.cpp.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include "app/verbs/debug/adapter.h"
#include "app/verbs/debug/transport.h"
#include "core/base/text.h"
#include "tests/fuzz/require.h"

namespace {

using warpwalk::fuzz::require;
using namespace warpwalk;

/// An adapter with a launch, for all inputs: a launch takes longer than an input.
class Debugged {
 public:
  Debugged() {
    verbs::DebugLoader loader(
        [](const auto&, const auto&) -> base::Result<void> { return base::Error{"no program is compiled here"}; });
    verbs::DebugTarget target;
    target.file = WARPWALK_SOURCE_DIR "/tests/history/wrong_output/stale_tile/launch.json";
    target.gpu = WARPWALK_SOURCE_DIR "/assets/devices/h200.json";
    target.code = "ptx";
    adapter_ = std::make_unique<verbs::DebugAdapter>(std::move(loader), std::move(target), [this](std::string_view m) {
      rapidjson::Document message;
      require(!message.Parse(m.data(), m.size()).HasParseError(), "a message is JSON");
      if (message["type"] == "response") ++responses_;
    });
    adapter_->handle(R"({"seq": 1, "type": "request", "command": "launch"})");
    adapter_->handle(R"({"seq": 2, "type": "request", "command": "configurationDone"})");
  }
  void send(std::string_view message) {
    // Another launch would take too long.
    for (const std::string_view word : {"launch", "attach"})
      if (message.find(word) != std::string_view::npos) return;
    // So would a simulation for each of many changes of its inputs.
    constexpr int most_changes = 300;
    for (const std::string_view word : {"setVariable", "setExpression", "writeMemory", "set var"})
      if (message.find(word) != std::string_view::npos && ++changes_ > most_changes) return;
    responses_ = 0;
    adapter_->handle(message);
    require(responses_ <= 1, "a request has one response");
  }

  void arrive(std::string_view message) { adapter_->arrives(message); }

 private:
  std::unique_ptr<verbs::DebugAdapter> adapter_;
  int responses_ = 0, changes_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Debugged debugged;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // The messages are sent as frames of a stream that may be cut anywhere.
  std::size_t at = 0;
  verbs::MessageReader reader([&](char* into, std::size_t bytes) {
    const std::size_t part = std::min(bytes, text.size() - at);
    text.copy(into, part, at);
    at += part;
    return static_cast<std::ptrdiff_t>(part);
  });
  // The adapter has looked at all of them before it handles the first one.
  std::vector<std::string> messages;
  while (const auto message = reader.next()) messages.push_back(*message);
  for (const std::string& message : messages) debugged.arrive(message);
  for (const std::string& message : messages) debugged.send(message);
  for (const std::string_view line :
       base::lines_of(text).size() < 40 ? base::lines_of(text) : std::vector<std::string_view>())
    debugged.send(line);
  // The next input begins without breakpoints, and at the same place.
  debugged.send(R"({"command": "evaluate", "arguments": {"expression": "delete", "context": "repl"}})");
  debugged.send(R"({"command": "restart"})");
  return 0;
}
