#include "app/verbs/film_job.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace warpwalk::verbs {

std::string FilmJob::start(std::vector<std::string> arguments, std::string out) {
  cancel();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fmt::format("no film: {}", std::strerror(errno));
  arguments.insert(arguments.begin(), "warpwalk");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawn(&child_, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    child_ = -1;
    return fmt::format("no film: {}", std::strerror(error));
  }
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  pipe_ = ends[0];
  out_ = std::move(out);
  text_.clear();
  last_line_.clear();
  share_ = 0;
  cancelled_ = false;
  return {};
}

void FilmJob::read() {
  char buffer[4096];
  ssize_t got = 0;
  while ((got = ::read(pipe_, buffer, sizeof buffer)) > 0) text_.append(buffer, static_cast<std::size_t>(got));
  for (std::size_t end = 0; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
    const std::string line = text_.substr(0, end);
    long frame = 0, frames = 0;
    if (std::sscanf(line.c_str(), "frame %ld of %ld", &frame, &frames) == 2 && frames > 0)
      share_ = static_cast<double>(frame) / static_cast<double>(frames);
    else if (!line.empty())
      last_line_ = line;
  }
}

void FilmJob::reap() {
  child_ = -1;
  ::close(pipe_);
  pipe_ = -1;
}

shell::FilmProgress FilmJob::poll() {
  shell::FilmProgress progress;
  if (child_ < 0) {
    progress.done = true;
    progress.said = cancelled_ ? "the film was cancelled" : "";
    return progress;
  }
  read();
  progress.share = share_;
  if (waitpid(child_, &status_, WNOHANG) == 0) return progress;
  read();
  reap();
  progress.done = true;
  if (WIFEXITED(status_) && WEXITSTATUS(status_) == 0)
    progress.said = "saved " + out_;
  else
    progress.said = last_line_.empty() ? "the film could not be made" : last_line_;
  return progress;
}

void FilmJob::cancel() {
  if (child_ < 0) return;
  kill(child_, SIGTERM);
  waitpid(child_, &status_, 0);
  reap();
  cancelled_ = true;
}

}  // namespace warpwalk::verbs
