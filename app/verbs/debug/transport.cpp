#include "app/verbs/debug/transport.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/platform/pipe.h"

namespace warpwalk::verbs {
namespace {

constexpr std::size_t most_header = 4096;
constexpr std::size_t most_message = std::size_t{64} << 20;

/// The number behind "Content-Length:" in a header; nullopt if there is none.
std::optional<std::size_t> content_length(std::string_view header) {
  constexpr std::string_view name = "content-length:";
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b; };
  const auto found = std::search(header.begin(), header.end(), name.begin(), name.end(), same);
  if (found == header.end()) return {};
  std::string_view rest(found + static_cast<std::ptrdiff_t>(name.size()), header.end());
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
  if (error != std::errc() || length > most_message) return {};
  return length;
}

void write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // the client is gone; the next read says so
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Signals are for the thread that works.
class BlockedThreadSignals {
 public:
  BlockedThreadSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }
};

/// Reads, as read(2) does; 0 at the end, or as soon as `stop` can be read.
std::ptrdiff_t read_unless(int in, int stop, char* into, std::size_t bytes) {
  for (;;) {
    std::array<pollfd, 2> ready{{{in, POLLIN, 0}, {stop, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return 0;
    if (ready[1].revents != 0) return 0;
    if (ready[0].revents == 0) continue;
    const ssize_t got = ::read(in, into, bytes);
    if (got >= 0 || errno != EINTR) return got;
  }
}

/// Waits until nobody reads what is written to `out` (true), or `stop` can be read. A client that has closed its end of
/// a socket does not read any more.
bool wait_for_reader_end(int out, int stop) {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(out, SOL_SOCKET, SO_TYPE, &type, &size) == 0) return true;
  for (;;) {
    std::array<pollfd, 2> ready{{{out, 0, 0}, {stop, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return false;
    if (ready[1].revents != 0) return false;
    if ((ready[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) return true;
  }
}

}  // namespace

bool MessageReader::fill() {
  char bytes[8192];
  const std::ptrdiff_t got = read_(bytes, sizeof bytes);
  if (got <= 0) return false;
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return true;
}

std::optional<std::string> MessageReader::next() {
  for (;;) {
    const std::size_t end = buffer_.find("\r\n\r\n");
    if (end == std::string::npos) {
      // A header is never that long: skips it, except for the start of its end.
      if (buffer_.size() > most_header) buffer_.erase(0, buffer_.size() - 3);
      if (!fill()) return {};
      continue;
    }
    const auto length = content_length(std::string_view(buffer_).substr(0, end));
    buffer_.erase(0, end + 4);
    if (!length) continue;
    while (buffer_.size() < *length)
      if (!fill()) return {};
    std::string message = buffer_.substr(0, *length);
    buffer_.erase(0, *length);
    return message;
  }
}

std::string framed(std::string_view message) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", message.size(), message);
}

void serve_messages(int in, int out,
                    const std::function<MessageServer(std::function<void(std::string_view)>)>& make_server) {
  const MessageServer server = make_server([out](std::string_view message) { write_all(out, framed(message)); });
  platform::Pipe wake;  // its write end is closed when the server is done
  if (!wake.good()) return;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::string> waiting;
  bool ended = false;
  std::thread receiver([&] {
    const BlockedThreadSignals blocked;
    MessageReader reader([&](char* into, std::size_t bytes) { return read_unless(in, wake.read_end(), into, bytes); });
    while (auto message = reader.next()) {
      server.arrives(*message);
      const std::lock_guard lock(mutex);
      waiting.push_back(std::move(*message));
      changed.notify_one();
    }
    {
      const std::lock_guard lock(mutex);
      ended = true;
      changed.notify_one();
    }
    if (wait_for_reader_end(out, wake.read_end())) server.arrives({});
  });
  for (bool goes_on = true; goes_on;) {
    std::string message;
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return ended || !waiting.empty(); });
      if (waiting.empty()) break;
      message = std::move(waiting.front());
      waiting.pop_front();
    }
    goes_on = server.handle(message);
  }
  wake.close_write_end();
  receiver.join();
}

base::Error serve_port(int port, const std::function<void(int port)>& listening,
                       const std::function<void(int)>& serve) {
  const auto failed = [&](int socket) {
    const base::Error error{fmt::format("port {}: {}", port, std::strerror(errno))};
    if (socket >= 0) ::close(socket);
    return error;
  };
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return failed(listener);
  const int reuse = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // whoever reaches it can run programs here
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(listener, 1) != 0 ||
      ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    return failed(listener);
  listening(ntohs(address.sin_port));
  for (;;) {
    const int client = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      return failed(listener);
    }
    serve(client);
    ::close(client);
  }
}

}  // namespace warpwalk::verbs
