#include "instrumentation/limited_run.h"

#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::recording {
namespace {

using Clock = std::chrono::steady_clock;

// The program's own signals, whatever this process holds back; a group of its own, so that what it starts goes with it.
pid_t start(std::vector<std::string>& words, int out) {
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
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

// Whether the pipe's other end was closed in time.
bool read_all(int from, Clock::time_point until, std::string& out) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd what = {from, POLLIN, 0};
    if (poll(&what, 1, static_cast<int>(std::min<long long>(left, 1000))) <= 0) continue;
    char piece[65536];
    const ssize_t n = read(from, piece, sizeof piece);
    if (n <= 0) return true;
    out.append(piece, static_cast<std::size_t>(n));
  }
}

}  // namespace

std::optional<LimitedRun> run_until(std::vector<std::string> words, Clock::time_point until) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const pid_t child = start(words, ends[1]);
  close(ends[1]);
  LimitedRun run;
  if (child > 0) run.in_time = read_all(ends[0], until, run.printed);
  close(ends[0]);
  if (child <= 0) return {};
  if (!run.in_time) kill(-child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  run.good = run.in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return run;
}

}  // namespace warpwalk::recording
