#include "core/platform/foreground_program.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/platform/pipe.h"
#include "core/platform/process.h"

namespace warpwalk::platform {
namespace {

constexpr std::array forwarded_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

// Runs in the child: executes the program, or writes errno to `failure` if that fails.
[[noreturn]] void become(std::vector<std::string> command,
                         const std::vector<std::pair<std::string, std::string>>& environment, const sigset_t& mask,
                         int failure) {
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const std::vector<char*> words = argv_pointers(command);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  execvp(words[0], words.data());
  const int why = errno;
  if (write(failure, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

/// Runs in the child: gives it the streams and the group of the options.
void prepare_child(const ProgramOptions& options, bool own_group, pid_t parent) {
  if (options.to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (options.no_input)
    if (const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC); nothing >= 0) dup2(nothing, STDIN_FILENO);
  if (own_group) setpgid(0, 0);
  if (!options.owned) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it has ended already
}

/// A program that has been started.
class StartedProgram {
 public:
  StartedProgram(pid_t child, bool own_group, const ProgramOptions& options)
      : child_(child), own_group_(own_group), options_(options) {}

  ProgramEnd wait(const sigset_t& held) {
    ProgramEnd end;
    for (;;) {
      siginfo_t signal{};
      constexpr timespec look{0, 50'000'000};
      const int got = options_.cancel != nullptr ? sigtimedwait(&held, &signal, &look) : sigwaitinfo(&held, &signal);
      end_if_cancelled();
      if (got < 0) continue;
      if (signal.si_signo != SIGCHLD) {
        forward(signal);
        const bool ends = signal.si_signo != SIGUSR1 && signal.si_signo != SIGUSR2;
        if (ends && signal.si_code <= 0) end.forwarded = signal.si_signo;
        continue;
      }
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) != child_) continue;
      if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
      if (!WIFEXITED(status) && !WIFSIGNALED(status)) continue;
      // What the program has started goes with it.
      if (own_group_ && (cancelled_ || end.forwarded != 0)) kill(-child_, SIGKILL);
      return end;
    }
  }

 private:
  void send(int signal) const { kill(own_group_ ? -child_ : child_, signal); }
  /// A terminal signal already reached a program that is in the foreground group. A signal from kill() did not.
  void forward(const siginfo_t& signal) const {
    if (own_group_ || signal.si_code <= 0) send(signal.si_signo);
  }
  void end_if_cancelled() {
    if (options_.cancel == nullptr || !options_.cancel->load()) return;
    const auto now = std::chrono::steady_clock::now();
    if (!cancelled_) send(SIGTERM);
    if (cancelled_ && now > *cancelled_ + std::chrono::seconds(2)) send(SIGKILL);
    if (!cancelled_) cancelled_ = now;
  }

  const pid_t child_;
  const bool own_group_;
  const ProgramOptions& options_;
  std::optional<std::chrono::steady_clock::time_point> cancelled_;
};

}  // namespace

std::string ProgramEnd::description() const {
  if (signal != 0) return fmt::format("was terminated by signal {} ({})", signal, strsignal(signal));
  return fmt::format("exited with status {}", exit_status);
}

ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment,
                       const ProgramOptions& options) {
  sigset_t held, before;
  sigemptyset(&held);
  for (const int signal : forwarded_signals) sigaddset(&held, signal);
  sigaddset(&held, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  // This process may have inherited an ignored SIGCHLD; the default action is needed to wait for the child.
  struct sigaction usual {
  }, found{};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &usual, &found);

  Pipe failure;
  const bool own_group = options.owned && isatty(STDIN_FILENO) == 0;
  const pid_t parent = getpid();
  const pid_t child = failure.good() ? fork() : -1;
  int why = child < 0 ? errno : 0;
  if (child == 0) {
    sigaction(SIGCHLD, &found, nullptr);
    prepare_child(options, own_group, parent);
    sigset_t mask = before;
    if (options.owned)  // which this process may have blocked meanwhile
      for (const int signal : forwarded_signals) sigdelset(&mask, signal);
    become(command, environment, mask, failure.write_end());
  }
  failure.close_write_end();
  const bool failed = child < 0 || read(failure.read_end(), &why, sizeof why) == sizeof why;
  if (child > 0 && failed) waitpid(child, nullptr, 0);
  ProgramEnd end;
  if (failed)
    end.error = fmt::format("{}: cannot be started: {}", command[0], std::strerror(why));
  else
    end = StartedProgram(child, own_group, options).wait(held);
  sigaction(SIGCHLD, &found, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace warpwalk::platform
