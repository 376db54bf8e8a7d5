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

constexpr int look_ms = 50;                      // poll interval for the program's end and `cancel`
constexpr auto grace = std::chrono::seconds(1);  // from SIGTERM to SIGKILL
constexpr std::size_t longest_line = 64 << 10;   // bytes; longer lines are reported in pieces
constexpr int most_pieces = 64;                  // read after the program's end; more than a pipe holds

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
[[noreturn]] void become(char* const* argv, char* const* envp, pid_t parent, int errors, int failure) {
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
  /// Waits for more output, at most `look_ms`.
  void wait() {
    pollfd readable = {open_ ? from_ : -1, POLLIN, 0};
    poll(&readable, 1, look_ms);
  }
  /// Reads a piece of the available output; returns false if there is none.
  bool read_some() {
    std::array<char, 16384> piece;
    const ssize_t got = open_ ? read(from_, piece.data(), piece.size()) : -1;
    if (got == 0) open_ = false;
    if (got <= 0) return false;
    text_.append(piece.data(), static_cast<std::size_t>(got));
    tell();
    return true;
  }
  void tell_rest() {
    if (!text_.empty()) line_(text_);
  }

 private:
  void tell() {
    std::size_t told = 0;
    for (std::size_t end = 0; (end = text_.find('\n', told)) != std::string::npos; told = end + 1)
      line_(std::string_view(text_).substr(told, end - told));
    text_.erase(0, told);
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
  const std::vector<char*> argv = pointers_to(words), envp = pointers_to(settings);
  const pid_t parent = getpid();
  const pid_t number = fork();
  if (number == 0) become(argv.data(), envp.data(), parent, errors.writes(), failure.writes());
  if (number < 0) return not_started(errno);
  setpgid(number, number);  // the child does this too, since either may run first
  Process child(number, Process::Group::own);
  errors.close_writes();
  failure.close_writes();
  int why = 0;
  ssize_t told = 0;
  while ((told = read(failure.reads(), &why, sizeof why)) < 0 && errno == EINTR) continue;
  if (told == sizeof why) return not_started(why);

  Lines lines(errors.reads(), line);
  std::optional<Clock::time_point> asked;
  while (!child.has_ended()) {
    if (cancel && !asked) {
      asked = Clock::now();
      child.signal(SIGTERM);
    }
    if (asked && Clock::now() - *asked > grace) child.signal(SIGKILL);
    lines.wait();
    lines.read_some();
  }
  child.signal(SIGKILL);  // descendants that it left behind
  for (int pieces = 0; pieces < most_pieces && lines.read_some();) ++pieces;
  lines.tell_rest();
  // Without an exit status (SIGCHLD ignored), only the program's output shows how it ended.
  const ProcessEnd how = child.wait().value_or(ProcessEnd());
  return {{}, how.exit_status, how.signal, asked.has_value()};
}

}  // namespace warpwalk::platform
