#include "instrumentation/simulated/device/clock.h"

#include <algorithm>
#include <ctime>

namespace warpwalk::simulated {
namespace {

std::int64_t measured_ns() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

std::int64_t ProgramClock::now_locked() {
  last_ = std::max(last_ + 1, waiting_ > 0 ? stopped_at_ : measured_ns() + ahead_);
  return last_;
}

std::int64_t ProgramClock::now() {
  const std::lock_guard lock(mutex_);
  return now_locked();
}

void ProgramClock::stop() {
  const std::lock_guard lock(mutex_);
  stopped_at_ = now_locked();
  ++waiting_;
}

void ProgramClock::go_on(std::int64_t until) {
  const std::lock_guard lock(mutex_);
  stopped_at_ = std::max({stopped_at_, until, last_});
  if (--waiting_ == 0) ahead_ = stopped_at_ - measured_ns();
}

}  // namespace warpwalk::simulated
