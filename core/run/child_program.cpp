#include "core/run/child_program.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::run {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Why a program is to be ended.
enum class Stop { none, late, cancelled };

Stop stop_of(const ChildLimits& limits) {
  if (limits.cancel != nullptr && *limits.cancel) return Stop::cancelled;
  return limits.until && Clock::now() >= *limits.until ? Stop::late : Stop::none;
}

// For how many milliseconds nothing but the program needs to be waited for; -1: for ever.
int patience(const ChildLimits& limits) {
  constexpr milliseconds between_looks{20}, longest{60'000};
  if (!limits.any()) return -1;
  milliseconds left = limits.cancel != nullptr ? between_looks : longest;
  if (limits.until) left = std::min(left, std::chrono::ceil<milliseconds>(*limits.until - Clock::now()));
  return static_cast<int>(std::max(left, milliseconds(0)).count());
}

// The program's number, or -1.
pid_t start(std::vector<std::string>& words, int out, bool own_group) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int group = own_group ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | group));
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

// Until the pipe's other end is closed, or there is a reason to stop.
Stop read_all(int from, const ChildLimits& limits, std::string& printed) {
  std::array<char, 65536> piece;
  for (;;) {
    if (const Stop stop = stop_of(limits); stop != Stop::none) return stop;
    pollfd readable = {from, POLLIN, 0};
    const int ready = poll(&readable, 1, patience(limits));
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t n = read(from, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return Stop::none;
    printed.append(piece.data(), static_cast<std::size_t>(n));
  }
}

// Until the program has ended, or there is a reason to stop. A program may close what it prints to long before its end.
Stop wait_for(pid_t child, const ChildLimits& limits, ChildRun& run) {
  constexpr int between_looks_ms = 2;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, limits.any() ? WNOHANG : 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended != 0) {
      if (ended < 0) run.exit_status = -1;
      if (ended > 0 && WIFEXITED(status)) run.exit_status = WEXITSTATUS(status);
      if (ended > 0 && WIFSIGNALED(status)) run.signal = WTERMSIG(status);
      return Stop::none;
    }
    if (const Stop stop = stop_of(limits); stop != Stop::none) return stop;
    poll(nullptr, 0, between_looks_ms);
  }
}

}  // namespace

std::optional<ChildRun> run_child(std::vector<std::string> words, const ChildLimits& limits) {
  std::array<int, 2> ends = {-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const pid_t child = start(words, ends[1], limits.any());
  close(ends[1]);
  ChildRun run;
  Stop stop = Stop::none;
  if (child > 0) stop = read_all(ends[0], limits, run.printed);
  close(ends[0]);
  if (child <= 0) return {};
  if (stop == Stop::none) stop = wait_for(child, limits, run);
  if (stop != Stop::none) {
    run.in_time = stop != Stop::late;
    run.cancelled = stop == Stop::cancelled;
    kill(-child, SIGKILL);
    wait_for(child, {}, run);
  }
  return run;
}

}  // namespace warpwalk::run
