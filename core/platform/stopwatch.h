#pragma once

#include <chrono>

namespace warpwalk::platform {

/// Wall-clock time since it was made. The rooms above take times from here or as arguments, so that what they compute
/// does not depend on a clock.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace warpwalk::platform
