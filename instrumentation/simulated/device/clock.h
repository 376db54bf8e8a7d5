#pragma once

#include <cstdint>
#include <mutex>

namespace warpwalk::simulated {

/// The time of the program, in ns since the epoch. While the program computes, it is measured. While the program waits
/// for the simulated GPU, it stands still, and afterwards it goes on at the time at which that GPU would have been
/// done. No two calls of now() return the same time, so that the order of calls and ranges is that of their times.
class ProgramClock {
 public:
  std::int64_t now();
  /// Around a wait for the GPU. Several threads may wait; the clock stands still until the last one goes on.
  void stop();
  /// `until`: the simulated time at which the wait ends. The clock is not moved back if it is earlier.
  void go_on(std::int64_t until);

 private:
  std::int64_t now_locked();
  std::mutex mutex_;
  std::int64_t ahead_ = 0;  ///< of the measured time, ns
  std::int64_t stopped_at_ = 0;
  std::int64_t last_ = 0;  ///< that now() has returned
  int waiting_ = 0;
};

/// The clock stands still while this exists: for work that a GPU's driver does not have, such as reading PTX.
class StoppedClock {
 public:
  explicit StoppedClock(ProgramClock& clock) : clock_(clock) { clock_.stop(); }
  ~StoppedClock() { clock_.go_on(0); }
  StoppedClock(const StoppedClock&) = delete;
  StoppedClock& operator=(const StoppedClock&) = delete;

 private:
  ProgramClock& clock_;
};

}  // namespace warpwalk::simulated
