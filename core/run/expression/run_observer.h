#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/check/op_checker.h"
#include "core/run/expression/run_expression.h"
#include "core/run/expression/walk_recorder.h"

namespace warpwalk::run {

/// Records a run, and checks its ops if it runs on a GPU. Stops between ops if the run is cancelled.
class RunObserver : public ops::Observer {
 public:
  /// `check`: compare each op of a GPU with the cpu backend.
  RunObserver(const RunRequest& request, WalkClock clock, bool check);

  void op_begins(const ops::Call& call) override;
  void op_ends(const ops::Tensor& result) override;
  void step(const trace::DispatchStep& step) override { recorder_.step(step); }
  void region_begins(std::string_view name, std::int64_t sequence) override { recorder_.region_begins(name, sequence); }
  void region_ends() override { recorder_.region_ends(); }
  void entered_autograd(std::int64_t next_sequence) override { recorder_.entered_autograd(next_sequence); }
  void recorded_for_backward(std::int64_t sequence) override { recorder_.recorded_for_backward(sequence); }
  void memory(const ops::MemoryChange& change) override { recorder_.memory(change); }
  void launch_begins(const PlannedLaunch& launch);

  WalkRecorder& recorder() { return recorder_; }
  bool checks() const { return checker_.has_value(); }
  const std::string& innermost_op() const { return open_.back(); }
  /// Registers an input; ops must find its current contents.
  void input(const RunInput& input, const std::string& name);
  /// Returns all checks. `results` must still hold what the ops wrote.
  std::vector<OpCheck> take_checks(const std::vector<ops::Tensor>& results);

 private:
  const std::atomic<bool>* cancel_ = nullptr;
  WalkRecorder recorder_;
  std::optional<OpChecker> checker_;
  std::vector<std::string> open_;
};

}  // namespace warpwalk::run
