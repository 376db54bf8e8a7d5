#include "app/shell/step_clock.h"

namespace warpwalk::shell {

void StepClock::restart(Clock::time_point now) {
  used_.clear();
  since_ = now;
}

void StepClock::on_step(const std::string& step, Clock::time_point now) {
  if (!step_.empty()) used_[step_] += std::chrono::duration<double>(now - since_).count();
  step_ = step;
  since_ = now;
}

double StepClock::seconds(const std::string& step) const {
  const auto at = used_.find(step);
  return at == used_.end() ? 0 : at->second;
}

}  // namespace warpwalk::shell
