#include "core/run/exercise/deadline.h"

namespace warpwalk::run {

Deadline::~Deadline() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Deadline::watch() {
  constexpr auto interval = std::chrono::milliseconds(50);  // between two looks at the caller's flag
  const auto end = std::chrono::steady_clock::now() + time_;
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, interval, [this] { return ended_; }))
    if (cancelled() || std::chrono::steady_clock::now() > end) stop_ = true;
}

}  // namespace warpwalk::run
