#include "app/verbs/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/terminal.h"

namespace warpwalk::verbs {

Watch::~Watch() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  ended_.notify_one();
  thread_.join();
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Watch::progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks) {
  const std::lock_guard lock(mutex_);
  if (blocks_ != blocks || what_ != what) begun_ = std::chrono::steady_clock::now();
  what_ = what;
  blocks_done_ = blocks_done;
  blocks_ = blocks;
}

std::string time_left(std::chrono::duration<double> elapsed, std::uint64_t done, std::uint64_t all) {
  if (done == 0 || done >= all) return {};
  const double seconds = elapsed.count() * static_cast<double>(all - done) / static_cast<double>(done);
  if (seconds < 90) return fmt::format(", about {:.0f} s left", std::max(seconds, 1.0));
  if (seconds < 5400) return fmt::format(", about {:.0f} min left", seconds / 60);
  return fmt::format(", about {:.0f} h left", seconds / 3600);
}

void Watch::show_line(std::string& shown) const {
  std::string now = what_;
  if (blocks_ > 0) now += fmt::format("{}{} of {}", now.empty() ? "" : ": ", blocks_done_, blocks_);
  if (now == shown || now.empty()) return;
  print_message("progress: " + now);
  shown = std::move(now);
}

void Watch::show_on_terminal() {
  shown_ = true;
  if (blocks_ > 0)
    fmt::print(stderr, "\r\x1b[Ksimulating{}{}: {} of {} blocks{}, Ctrl-C stops ", what_.empty() ? "" : " ",
               terminal_line(what_), blocks_done_, blocks_,
               time_left(std::chrono::steady_clock::now() - begun_, blocks_done_, blocks_));
  else
    fmt::print(stderr, "\r\x1b[K{}, Ctrl-C stops ", terminal_line(what_));
  std::fflush(stderr);
}

void Watch::run() {
  using Clock = std::chrono::steady_clock;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  Clock::time_point next = Clock::now() + std::chrono::seconds(1);
  std::string shown;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this] { return done_; })) {
    if (signals_.stop_requested()) cancel_ = true;
    if (lines_) show_line(shown);
    const bool nothing = blocks_ == 0 && what_.empty();
    if (lines_ || !terminal || nothing || Clock::now() < next) continue;
    next = Clock::now() + std::chrono::milliseconds(200);
    show_on_terminal();
  }
}

}  // namespace warpwalk::verbs
