#pragma once

#include <chrono>
#include <map>
#include <string>

namespace warpwalk::shell {

/// The time that a presentation has spent in each of its steps.
class StepClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins anew: no time has been used.
  void restart(Clock::time_point now);
  /// The stage shows this step from now on, in any words that differ from step to step; the time until now was used by
  /// the step before.
  void on_step(const std::string& step, Clock::time_point now);
  /// Seconds that a step has used, up to the last call.
  double seconds(const std::string& step) const;

 private:
  std::map<std::string, double> used_;
  std::string step_;
  Clock::time_point since_ = Clock::now();
};

}  // namespace warpwalk::shell
