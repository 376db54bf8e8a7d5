#include "core/platform/watched_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/platform/pipe.h"
#include "core/platform/process.h"

extern char** environ;

namespace warpwalk::platform {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int poll_interval_ms = 50;             // poll interval for the program's end and `cancel`
constexpr auto grace = std::chrono::seconds(1);  // from SIGTERM to SIGKILL
constexpr std::size_t longest_line = 64 << 10;   // bytes; longer lines are reported in pieces
constexpr int max_pieces = 64;                   // read after the program's end; more than a pipe holds

std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  std::vector<std::string> all = settings;
  for (char** kept = environ; *kept != nullptr; ++kept) {
    const std::string_view setting = *kept;
    const std::string_view name = setting.substr(0, setting.find('=') + 1);
    if (std::ranges::none_of(settings, [&](const std::string& ours) { return ours.starts_with(name); }))
      all.emplace_back(setting);
  }
  return all;
}

// Runs in the child, where other threads' locks may be held, so it makes only system calls. posix_spawn cannot set
// PR_SET_PDEATHSIG; without it, the program would keep running after the window was killed.
[[noreturn]] void exec_or_report(char* const* argv, char* const* envp, pid_t parent, int errors, int failure) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  execve(argv[0], argv, envp);
  const int why = errno;
  if (write(failure, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

/// Splits the program's output into lines.
class Lines {
 public:
  Lines(int from, const std::function<void(std::string_view)>& line) : from_(from), line_(line) {
    fcntl(from_, F_SETFL, O_NONBLOCK);
  }
  /// Waits for more output, at most `poll_interval_ms`.
  void wait() {
    pollfd readable = {open_ ? from_ : -1, POLLIN, 0};
    poll(&readable, 1, poll_interval_ms);
  }
  /// Reads a piece of the available output; returns false if there is none.
  bool read_some() {
    std::array<char, 16384> piece;
    const ssize_t got = open_ ? read(from_, piece.data(), piece.size()) : -1;
    if (got == 0) open_ = false;
    if (got <= 0) return false;
    text_.append(piece.data(), static_cast<std::size_t>(got));
    report_complete_lines();
    return true;
  }
  void report_rest() {
    if (!text_.empty()) line_(text_);
  }

 private:
  void report_complete_lines() {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos; begin = end + 1)
      line_(std::string_view(text_).substr(begin, end - begin));
    text_.erase(0, begin);
    if (text_.size() < longest_line) return;
    line_(text_);
    text_.clear();
  }

  int from_;
  const std::function<void(std::string_view)>& line_;
  std::string text_;  // the line that is not complete yet
  bool open_ = true;
};

}  // namespace

WatchedEnd run_watched(const WatchedCommand& command, const std::function<void(std::string_view line)>& line,
                       const std::atomic<bool>& cancel) {
  const auto not_started = [](int why) {
    WatchedEnd end;
    end.error = std::strerror(why);
    return end;
  };
  Pipe errors, failure;
  if (!errors.good() || !failure.good()) return not_started(errno);
  std::vector<std::string> words = {command.program.string()};
  words.insert(words.end(), command.arguments.begin(), command.arguments.end());
  std::vector<std::string> settings = environment_with(command.environment);
  const std::vector<char*> argv = argv_pointers(words), envp = argv_pointers(settings);
  const pid_t parent = getpid();
  const pid_t number = fork();
  if (number == 0) exec_or_report(argv.data(), envp.data(), parent, errors.write_end(), failure.write_end());
  if (number < 0) return not_started(errno);
  setpgid(number, number);  // the child does this too, since either may run first
  Process child(number, Process::Group::own);
  errors.close_write_end();
  failure.close_write_end();
  int why = 0;
  ssize_t received = 0;
  while ((received = read(failure.read_end(), &why, sizeof why)) < 0 && errno == EINTR) continue;
  if (received == sizeof why) return not_started(why);

  Lines lines(errors.read_end(), line);
  std::optional<Clock::time_point> terminated_at;
  while (!child.has_ended()) {
    if (cancel && !terminated_at) {
      terminated_at = Clock::now();
      child.signal(SIGTERM);
    }
    if (terminated_at && Clock::now() - *terminated_at > grace) child.signal(SIGKILL);
    lines.wait();
    lines.read_some();
  }
  child.signal(SIGKILL);  // descendants that it left behind
  for (int pieces = 0; pieces < max_pieces && lines.read_some();) ++pieces;
  lines.report_rest();
  // Without an exit status (SIGCHLD ignored), only the program's output shows how it ended.
  const ProcessEnd how = child.wait().value_or(ProcessEnd());
  return {{}, how.exit_status, how.signal, terminated_at.has_value()};
}

}  // namespace warpwalk::platform
