#include "core/run/expression/run_observer.h"

#include <utility>

#include "core/ops/tensor/error.h"
#include "core/run/expression/describe_run.h"

namespace warpwalk::run {

RunObserver::RunObserver(const RunRequest& request, WalkClock clock, bool check)
    : cancel_(request.cancel), recorder_(place_of(request), std::move(clock)) {
  if (check) checker_.emplace(request.autocast);
}

void RunObserver::op_begins(const ops::Call& call) {
  if (cancel_ != nullptr && *cancel_) throw ops::OpError("stopped");
  open_.emplace_back(call.name());
  recorder_.op_begins(call);
  if (checker_) checker_->op_begins(call);
}

void RunObserver::op_ends(const ops::Tensor& result) {
  if (checker_) checker_->op_ends(result);
  recorder_.op_ends(result);
  open_.pop_back();
}

void RunObserver::launch_begins(const PlannedLaunch& launch) {
  if (checker_) checker_->launches(launch);
  recorder_.launch_begins();
}

void RunObserver::input(const RunInput& input, const std::string& name) {
  if (input.given != nullptr)
    recorder_.input(input.tensor, name, *input.given);
  else
    recorder_.input(input.tensor, name, input.seed);
  if (checker_) checker_->remember(input.tensor);
}

std::vector<OpCheck> RunObserver::take_checks(const std::vector<ops::Tensor>& results) {
  if (!checker_) return {};
  for (const ops::Tensor& result : results) checker_->recall(result);
  return checker_->take();
}

}  // namespace warpwalk::run
