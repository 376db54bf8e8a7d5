#include "core/platform/foreground_program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
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

// A terminal signal already reached the program, since both are in the foreground group. A signal from kill() did not.
void forward_signal(const siginfo_t& signal, pid_t child) {
  if (signal.si_code <= 0) kill(child, signal.si_signo);
}

ProgramEnd wait_for(pid_t child, const sigset_t& held) {
  for (;;) {
    siginfo_t signal{};
    if (sigwaitinfo(&held, &signal) < 0) continue;
    if (signal.si_signo != SIGCHLD) {
      forward_signal(signal, child);
      continue;
    }
    int status = 0;
    if (waitpid(child, &status, WNOHANG) != child) continue;
    ProgramEnd end;
    if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status) || WIFSIGNALED(status)) return end;
  }
}

}  // namespace

std::string ProgramEnd::description() const {
  if (signal != 0) return fmt::format("was terminated by signal {} ({})", signal, strsignal(signal));
  return fmt::format("exited with status {}", exit_status);
}

ProgramEnd run_program(const std::vector<std::string>& command,
                       const std::vector<std::pair<std::string, std::string>>& environment, bool to_stderr) {
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
  const pid_t child = failure.good() ? fork() : -1;
  int why = child < 0 ? errno : 0;
  if (child == 0) {
    sigaction(SIGCHLD, &found, nullptr);
    if (to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
    become(command, environment, before, failure.write_end());
  }
  failure.close_write_end();
  const bool failed = child < 0 || read(failure.read_end(), &why, sizeof why) == sizeof why;
  if (child > 0 && failed) waitpid(child, nullptr, 0);
  ProgramEnd end;
  if (failed)
    end.error = fmt::format("{}: cannot be started: {}", command[0], std::strerror(why));
  else
    end = wait_for(child, held);
  sigaction(SIGCHLD, &found, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return end;
}

}  // namespace warpwalk::platform
