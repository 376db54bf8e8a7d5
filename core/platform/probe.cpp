#include "core/platform/probe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"

namespace warpwalk::platform {
namespace {

[[noreturn]] void answer_and_end(const std::function<ProbeResult()>& look, int to) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);  // a crash must not leave a core file
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, standard);
  ProbeResult found;
  try {
    found = look();
  } catch (const std::exception& error) {
    found.text = error.what();
  }
  const std::string line = (found.ok ? "+" : "-") + found.text;
  _exit(write(to, line.data(), line.size()) == static_cast<ssize_t>(line.size()) ? 0 : 1);
}

}  // namespace

Probe::Probe(const std::function<ProbeResult()>& look) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
  std::fflush(nullptr);  // else the child would write buffered output again
  child_ = fork();
  if (child_ == 0) answer_and_end(look, ends[1]);
  close(ends[1]);
  result_fd_ = ends[0];
  if (child_ < 0) child_ = 0;
}

Probe::~Probe() {
  if (child_ != 0) {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  if (result_fd_ >= 0) close(result_fd_);
}

ProbeResult Probe::wait(std::chrono::steady_clock::time_point deadline) {
  using std::chrono::milliseconds;
  if (child_ == 0) return {false, fmt::format("cannot be checked: {}", std::strerror(errno))};
  std::string text;
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd readable = {result_fd_, POLLIN, 0};
    const int ready = poll(&readable, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return {false, "no answer in time"};
    std::array<char, 4096> part;
    const ssize_t got = read(result_fd_, part.data(), part.size());
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  int status = 0;
  waitpid(child_, &status, 0);
  child_ = 0;
  if (text.empty() && WIFSIGNALED(status)) return {false, fmt::format("it crashed (signal {})", WTERMSIG(status))};
  if (text.empty()) return {false, "it ended the process that checked for it"};
  return {text[0] == '+', base::one_line(text.substr(1))};
}

}  // namespace warpwalk::platform
