#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::verbs {

/// Messages with a header, as the Debug Adapter Protocol frames them: "Content-Length: 12\r\n\r\n" and 12 bytes.
class MessageReader {
 public:
  /// `read`: fills a buffer, as read(2) does; 0 at the end.
  explicit MessageReader(std::function<std::ptrdiff_t(char* into, std::size_t bytes)> read) : read_(std::move(read)) {}
  /// The text of the next message; nullopt at the end. Skips text without a valid header.
  std::optional<std::string> next();

 private:
  bool fill();

  std::function<std::ptrdiff_t(char* into, std::size_t bytes)> read_;
  std::string buffer_;
};

/// A message with its header.
std::string framed(std::string_view message);

/// Reads messages from one file descriptor and writes those that `serve` sends to another, until `serve` returns false
/// or the input ends.
void serve_messages(
    int in, int out,
    const std::function<std::function<bool(std::string_view)>(std::function<void(std::string_view)>)>& make_server);

/// Listens on a port of this machine (0: any free one) and calls `serve` for one client after another. Returns only if
/// it cannot listen, with one line.
base::Error serve_port(int port, const std::function<void(int port)>& listening, const std::function<void(int)>& serve);

}  // namespace warpwalk::verbs
