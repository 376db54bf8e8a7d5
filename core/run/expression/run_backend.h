#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ops/cpu/memory.h"
#include "core/run/expression/run_expression.h"
#include "core/run/expression/run_observer.h"
#include "core/run/expression/sim_backend.h"

namespace warpwalk::run {

/// Checks that the target is available.
base::Result<void> check_place(const RunRequest& request, const GpuBackend* gpu);

/// The device that the ops run on: the cpu, the simulated GPU, or a real one.
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
  /// Adds the launch to the run's list.
  void add_row(const PlannedLaunch& launch);

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
