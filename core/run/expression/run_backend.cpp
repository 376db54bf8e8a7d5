#include "core/run/expression/run_backend.h"

#include <utility>

#include "core/ops/library/library.h"
#include "core/run/catalogue/catalogue.h"
#include "core/run/expression/host_model.h"
#include "core/run/launch/cycle_figures.h"

namespace warpwalk::run {

base::Result<void> check_place(const RunRequest& request, const GpuBackend* gpu) {
  if (request.on == Target::cuda && gpu == nullptr)
    return base::Error{"cuda: this build of warpwalk cannot launch on a real GPU; use --on sim or --on cpu"};
  if (request.on == Target::sim) {
    const auto model = host_model(request.device);
    if (!model) return base::Error{model.error()};
  }
  return {};
}

RunBackend::RunBackend(const RunRequest& request, GpuBackend* gpu, ops::Dispatcher& dispatcher, RunObserver& observer,
                       std::vector<RunLaunch>& launches)
    : request_(request), gpu_(gpu), dispatcher_(dispatcher), observer_(observer), launches_(launches) {
  if (request.on == Target::cpu) {
    cpu_.emplace(&observer);
    dispatcher.set_memory(*cpu_);
    return;
  }
  if (request.on == Target::cuda) {
    dispatcher.set_memory(gpu->memory(&observer));
    return;
  }
  SimOptions options;
  options.ptx_folder = request.assets / "ptx";
  options.cubin_folder = request.assets / "cubin";
  options.code = request.code;
  options.source_folder = kernel_sources(request.assets);
  options.simulate.threads = request.threads;
  options.simulate.cancel = request.cancel;
  if (request.progress)
    options.simulate.progress = [this](std::uint64_t done, std::uint64_t blocks) {
      request_.progress(launching_, done, blocks);
    };
  options.cycles = request.cycles;
  options.cycles.threads = request.threads;
  options.cycles.cancel = request.cancel;
  if (request.progress)
    options.cycles.progress = [this](std::uint64_t done, std::uint64_t blocks) {
      request_.progress(launching_ + ", cycles", done, blocks);
    };
  options.before = [this](const PlannedLaunch& launch) {
    launching_ = launch.entry;
    observer_.launch_begins(launch);
  };
  options.launched = [this](const SimLaunch& launch) { sim_launched(launch); };
  sim_.emplace(request.device, std::move(options), &observer);
  dispatcher.set_memory(sim_->memory());
}

void RunBackend::register_functions() {
  if (cpu_)
    register_cpu(dispatcher_);
  else if (sim_)
    register_gpu(dispatcher_, *sim_);
  else
    register_gpu(dispatcher_, *this);
}

void RunBackend::sim_launched(const SimLaunch& launch) {
  const PlannedLaunch& planned = launch.planned;
  add_row(planned);
  RunLaunch& row = launches_.back();
  row.code = launch.kernel.code;
  row.note = launch.kernel.note;
  const gpu::LaunchTiming* const timing = launch.cycles.timing ? &*launch.cycles.timing : nullptr;
  if (timing != nullptr) {
    row.cycles = timing->cycles;
    row.estimated = timing->estimated;
    row.time_us = 1e6 * seconds_of(request_.device, timing->cycles);
  } else if (!launch.cycles.missing.empty()) {
    row.cycles_note = cycles_note(launch.cycles);
  }
  observer_.recorder().launch_ends({planned, launch.operands, launch.kernel.ptx, launch.kernel.source,
                                    launch.kernel.cubin, launch.kernel.code, &request_.device, &launch.launch,
                                    &launch.simulation, timing, gpu::static_shared_bytes(*launch.kernel.program)});
}

void RunBackend::add_row(const PlannedLaunch& launch) {
  RunLaunch& row = launches_.emplace_back();
  row.op = observer_.innermost_op();
  row.kernel = launch.entry;
  row.grid = launch.grid;
  row.block = launch.block;
  row.why = launch.why;
}

void RunBackend::launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) {
  observer_.launch_begins(launch);
  gpu_->launch(launch, operands);
  add_row(launch);
  // complete_modules adds the module texts after all ops have run.
  observer_.recorder().launch_ends(
      {launch, operands, {}, {}, {}, {}, nullptr, nullptr, nullptr, nullptr, 0, observer_.checks()});
}

void RunBackend::synchronize() {
  if (gpu_ != nullptr) gpu_->synchronize();
}

}  // namespace warpwalk::run
