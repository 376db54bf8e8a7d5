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

/// What answers the messages of a client.
struct MessageServer {
  /// Handles messages in their order. Returns false when the client is done.
  std::function<bool(std::string_view)> handle;
  /// Is told of each message as soon as it is received, on another thread; nullopt: the client is gone.
  std::function<void(std::optional<std::string_view>)> arrives;
};

/// Reads messages from one file descriptor and writes those that the server sends to another, until handle() returns
/// false or the input ends. If the input ends and nothing reads the output any more, the client is gone.
void serve_messages(int in, int out,
                    const std::function<MessageServer(std::function<void(std::string_view)>)>& make_server);

/// Listens on a port of this machine (0: any free one) and calls `serve` for one client after another. Returns only if
/// it cannot listen, with one line.
base::Error serve_port(int port, const std::function<void(int port)>& listening, const std::function<void(int)>& serve);

}  // namespace warpwalk::verbs
