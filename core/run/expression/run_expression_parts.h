#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ops/cpu/memory.h"
#include "core/run/check/op_checker.h"
#include "core/run/expression/run_expression.h"
#include "core/run/expression/sim_backend.h"
#include "core/run/expression/walk_recorder.h"

namespace warpwalk::run {

/// Whether the target can be run at all; none, or one line.
std::optional<std::string> check_place(const RunRequest& request, const GpuBackend* gpu);
/// The time of the walk: sim's is the host model's of its device (which check_place has accepted).
WalkClock clock_of(const RunRequest& request);

/// A name's tensor: new, with FillRandom of its seed; it requires a gradient where one is asked for and can be.
struct RunInput {
  ops::Tensor tensor;
  std::uint64_t seed = 0;
};
RunInput make_input(const RunRequest& request, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name);

/// Goes back from the sum of the result.
void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result);

/// What a trace says of the run as a whole: expression, sources, the GPU, metadata.
void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace);

/// Is told of everything: writes it down, and where there is a GPU checks it. Stops between ops where that is asked
/// for.
class RunObserver : public ops::Observer {
 public:
  /// `check`: each op of a GPU against the cpu backend.
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
  /// An input as it is now is what ops must find.
  void input(const ops::Tensor& tensor, const std::string& name, std::uint64_t seed);
  /// All checks; `results` must still hold what the ops left.
  std::vector<OpCheck> take_checks(const std::vector<ops::Tensor>& results);

 private:
  const std::atomic<bool>* cancel_ = nullptr;
  WalkRecorder recorder_;
  std::optional<OpChecker> checker_;
  std::vector<std::string> open_;
};

/// Where the ops compute: the cpu, the simulated GPU, or a real one.
class RunBackend : public Launcher {
 public:
  RunBackend(const RunRequest& request, GpuBackend* gpu, ops::Dispatcher& dispatcher, RunObserver& observer,
             std::vector<RunLaunch>& launches);

  ops::DeviceKind kind() const { return request_.on == Target::cpu ? ops::DeviceKind::cpu : ops::DeviceKind::cuda; }
  void register_functions();
  void launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) override;
  /// Waits for all work.
  void synchronize();

 private:
  void sim_launched(const SimLaunch& launch);

  const RunRequest& request_;
  GpuBackend* gpu_;
  ops::Dispatcher& dispatcher_;
  RunObserver& observer_;
  std::vector<RunLaunch>& launches_;
  std::string launching_;  // for progress
  std::optional<ops::CpuMemory> cpu_;
  std::optional<SimBackend> sim_;
};

}  // namespace warpwalk::run
