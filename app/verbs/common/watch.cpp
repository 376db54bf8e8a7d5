#include "app/verbs/common/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/verbs/common/terminal.h"

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

void BlockProgress::update(const std::string& what, std::uint64_t done, std::uint64_t blocks, Clock::time_point now,
                           std::uint64_t limit) {
  if (what_ != what || blocks_ != blocks || done < done_) {
    begun_ = now;
    done_at_begin_ = done;
  }
  what_ = what;
  done_ = done;
  blocks_ = blocks;
  limit_ = limit;
}

std::optional<double> BlockProgress::seconds_left(Clock::time_point now) const {
  if (done_ <= done_at_begin_ || done_ >= blocks_) return {};
  const std::chrono::duration<double> elapsed = now - begun_;
  return elapsed.count() * static_cast<double>(blocks_ - done_) / static_cast<double>(done_ - done_at_begin_);
}

std::optional<double> BlockProgress::seconds_to_limit(Clock::time_point now, std::uint64_t operations) const {
  if (limit_ == 0 || done_ > done_at_begin_ || done_ >= blocks_ || operations == 0 || operations >= limit_) return {};
  const std::chrono::duration<double> elapsed = now - begun_;
  return elapsed.count() * static_cast<double>(limit_ - operations) / static_cast<double>(operations);
}

namespace {

std::string rounded_time(double seconds) {
  if (seconds < 90) return fmt::format("about {:.0f} s", std::max(seconds, 1.0));
  if (seconds < 5400) return fmt::format("about {:.0f} min", seconds / 60);
  return fmt::format("about {:.0f} h", seconds / 3600);
}

}  // namespace

std::string time_left(double seconds) { return rounded_time(seconds) + " left"; }

std::string time_to_limit(double seconds) { return "at most " + rounded_time(seconds) + " to the limit of a block"; }

void Watch::progress(const std::string& what, std::uint64_t blocks_done, std::uint64_t blocks, std::uint64_t limit) {
  const std::lock_guard lock(mutex_);
  const bool is_new = what != progress_.what();
  progress_.update(what, blocks_done, blocks, BlockProgress::Clock::now(), limit);
  if (lines_ && is_new) show_line();  // at once: work that ends before the thread looks again has its line, too
}

void Watch::show_line() {
  std::string now = progress_.what();
  if (progress_.blocks() > 0)
    now += fmt::format("{}{} of {}", now.empty() ? "" : ": ", progress_.done(), progress_.blocks());
  if (now == last_line_ || now.empty()) return;
  print_message("progress: " + now);
  last_line_ = std::move(now);
}

void Watch::show_on_terminal() {
  shown_ = true;
  const std::string what = terminal_line(progress_.what());
  if (progress_.blocks() > 0) {
    const auto now = BlockProgress::Clock::now();
    const auto left = progress_.seconds_left(now);
    const auto to_limit = progress_.seconds_to_limit(now, block_operations_.load(std::memory_order_relaxed));
    const std::string time = left ? ", " + time_left(*left) : to_limit ? ", " + time_to_limit(*to_limit) : "";
    fmt::print(stderr, "\r\x1b[Ksimulating{}{}: {} of {} blocks{}, Ctrl-C stops ", what.empty() ? "" : " ", what,
               progress_.done(), progress_.blocks(), time);
  } else {
    fmt::print(stderr, "\r\x1b[K{}, Ctrl-C stops ", what);
  }
  std::fflush(stderr);
}

void Watch::run() {
  using Clock = BlockProgress::Clock;
  constexpr double long_seconds = 10;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  Clock::time_point next = Clock::now() + std::chrono::seconds(1);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this] { return done_; })) {
    if (signals_.stop_requested()) cancel_ = true;
    if (lines_) show_line();
    const bool nothing = progress_.blocks() == 0 && progress_.what().empty();
    if (lines_ || !terminal || nothing) continue;
    const Clock::time_point now = Clock::now();
    const bool is_long = !shown_ && progress_.seconds_left(now).value_or(0) >= long_seconds;
    if (now < next && !is_long) continue;
    next = now + std::chrono::milliseconds(200);
    show_on_terminal();
  }
}

}  // namespace warpwalk::verbs
