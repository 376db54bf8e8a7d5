#include "core/platform/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::platform {

std::vector<char*> argv_pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

base::Result<Process> Process::start(std::vector<std::string> words, const Streams& streams, Group group) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const auto& [ours, theirs] :
       {std::pair{streams.in, STDIN_FILENO}, {streams.out, STDOUT_FILENO}, {streams.errors, STDERR_FILENO}}) {
    if (ours >= 0)
      posix_spawn_file_actions_adddup2(&actions, ours, theirs);
    else
      posix_spawn_file_actions_addopen(&actions, theirs, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int grouped = group == Group::own ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(&attributes, static_cast<short>(POSIX_SPAWN_SETSIGMASK | grouped));
  const std::vector<char*> arguments = argv_pointers(words);
  pid_t number = 0;
  const int failed = posix_spawn(&number, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return base::Error{std::strerror(failed)};
  return Process(number, group);
}

Process::~Process() {
  if (pid_ == 0) return;
  signal(SIGKILL);
  wait();
}

Process::Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, 0)), group_(other.group_) {}

void Process::signal(int what) const {
  if (pid_ != 0) kill(group_ == Group::own ? -pid_ : pid_, what);  // 0 would signal our own group
}

bool Process::has_ended() const {
  siginfo_t what{};
  const int failed = waitid(P_PID, static_cast<id_t>(pid_), &what, WEXITED | WNOHANG | WNOWAIT);
  return failed != 0 ? errno == ECHILD : what.si_pid == pid_;
}

std::optional<ProcessEnd> Process::wait() {
  int status = 0;
  pid_t found = 0;
  while ((found = waitpid(pid_, &status, 0)) < 0 && errno == EINTR) continue;
  pid_ = 0;
  if (found < 0) return {};
  ProcessEnd end;
  if (WIFEXITED(status)) end.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
  return end;
}

}  // namespace warpwalk::platform
