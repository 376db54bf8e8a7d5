#include "app/film/film_job.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace warpwalk::film {

base::Result<void> FilmJob::start(std::vector<std::string> arguments, std::string out) {
  cancel();
  words_.emplace();
  if (!words_->good()) return base::Error{std::strerror(errno)};
  arguments.insert(arguments.begin(), "/proc/self/exe");
  auto started = platform::Process::start(std::move(arguments), {-1, -1, words_->write_end()},
                                          platform::Process::Group::inherited);
  if (!started) return base::Error{started.error()};
  child_.emplace(*std::move(started));
  words_->close_write_end();
  fcntl(words_->read_end(), F_SETFL, O_NONBLOCK);
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
  while ((got = ::read(words_->read_end(), buffer, sizeof buffer)) > 0)
    text_.append(buffer, static_cast<std::size_t>(got));
  for (std::size_t end = 0; (end = text_.find('\n')) != std::string::npos; text_.erase(0, end + 1)) {
    const std::string line = text_.substr(0, end);
    long frame = 0, frames = 0;
    if (std::sscanf(line.c_str(), "frame %ld of %ld", &frame, &frames) == 2 && frames > 0)
      share_ = static_cast<double>(frame) / static_cast<double>(frames);
    else if (!line.empty())
      last_line_ = line;
  }
}

platform::ProcessEnd FilmJob::reap() {
  // If its exit status is not known, its output decides.
  const platform::ProcessEnd end = child_->wait().value_or(platform::ProcessEnd());
  child_.reset();
  words_.reset();
  return end;
}

shell::FilmProgress FilmJob::poll() {
  shell::FilmProgress progress;
  if (!child_) {
    progress.done = true;
    progress.cancelled = cancelled_;
    return progress;
  }
  const bool ended = child_->has_ended();
  read();
  progress.share = share_;
  if (!ended) return progress;
  progress.done = true;
  if (reap().good())
    progress.file = out_;
  else
    progress.error = last_line_;
  return progress;
}

void FilmJob::cancel() {
  if (!child_) return;
  child_->signal(SIGTERM);
  reap();
  cancelled_ = true;
}

}  // namespace warpwalk::film
