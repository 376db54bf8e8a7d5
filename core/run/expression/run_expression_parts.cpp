#include "core/run/expression/run_expression_parts.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/ops/dispatch/autograd.h"
#include "core/ops/library/library.h"
#include "core/run/launch/generate.h"
#include "core/run/record/launch_trace.h"
#include "core/run/record/record_rows.h"
#include "core/trace/chrome/json_text.h"

namespace warpwalk::run {
namespace {

std::string_view name_of(Target target) {
  switch (target) {
    case Target::cpu: return "cpu";
    case Target::sim: return "sim";
    case Target::cuda: break;
  }
  return "cuda";
}

WalkPlace place_of(const RunRequest& request) {
  WalkPlace place;
  place.process = fmt::format("warpwalk run --on {}", name_of(request.on));
  place.memory = request.on == Target::cpu ? ops::DeviceKind::cpu : ops::DeviceKind::cuda;
  if (request.on == Target::sim) place.gpu_process = "simulated GPU 0";
  if (request.on == Target::cuda) place.gpu_process = "GPU 0";
  place.sms = request.device.sm_count.value.value_or(1);
  place.warp_size = request.device.threads_per_warp.value.value_or(32);
  place.origin = request.on == Target::sim ? trace::Origin::simulated : trace::Origin::measured;
  return place;
}

}  // namespace

std::optional<std::string> check_place(const RunRequest& request, const GpuBackend* gpu) {
  if (request.on == Target::cuda && gpu == nullptr)
    return "cuda: this warpwalk has no part that launches on a real GPU; use --on sim or --on cpu";
  if (request.on == Target::sim) {
    const auto model = host_model(request.device);
    if (const auto* const error = std::get_if<std::string>(&model)) return *error;
  }
  return {};
}

WalkClock clock_of(const RunRequest& request) {
  if (request.on != Target::sim) return WalkClock(request.now_ns);
  return WalkClock(std::get<HostModel>(host_model(request.device)));
}

RunInput make_input(const RunRequest& request, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name) {
  const auto variable = std::ranges::find(request.inputs, name, &ops::Variable::name);
  RunInput input;
  input.seed = request.seed + static_cast<std::uint64_t>(variable - request.inputs.begin());
  input.tensor = dispatcher.call("aten::empty.memory_format",
                                 {variable->sizes, variable->dtype, static_cast<std::int64_t>(device)});
  std::vector<std::uint8_t> bytes(input.tensor.storage()->bytes());
  generate(variable->dtype, FillRandom{input.seed}, bytes);
  if (!bytes.empty()) input.tensor.storage()->memory().write(input.tensor.storage()->address(), bytes);
  if (request.gradients && is_float(variable->dtype)) set_requires_grad(input.tensor);
  return input;
}

void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result) {
  backward(dispatcher, result.count() == 1 ? result : dispatcher.call("aten::sum", {result}));
}

void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace) {
  trace.records.expression = request.expression;
  const std::string program = fmt::format("warpwalk {}", simulator_version);
  if (request.on == Target::sim) {
    trace.devices.push_back(device_row(request.device, trace.strings));
    const std::string by = fmt::format("{} simulated {}", program, request.device.id);
    trace.records.sources = {
        {"times", by + ": the host's from its description; kernels have no clock yet", trace::Origin::simulated},
        {"dispatch", by, trace::Origin::simulated},
        {"memory", by, trace::Origin::simulated},
        {"counters", by, trace::Origin::simulated}};
  } else {
    const std::string by = fmt::format("{} run --on {}", program, name_of(request.on));
    trace.records.sources = {{"times", by + ": the clock of the host", trace::Origin::measured},
                             {"dispatch", by, trace::Origin::measured},
                             {"memory", by, trace::Origin::measured}};
  }
  std::string inputs, run;
  const auto add = [](std::string& members, std::string_view key, std::string_view text) {
    if (!members.empty()) members += ", ";
    trace::append_quoted(members, key);
    members += ": ";
    trace::append_quoted(members, text);
  };
  const auto tensor = [](const ops::Variable& variable) {
    return fmt::format("{} {}", ops::shape_text(variable.sizes), ops::name_of(variable.dtype));
  };
  for (const ops::Variable& input : request.inputs) add(inputs, input.name, tensor(input));
  add(run, "on", name_of(request.on));
  if (request.on == Target::sim) add(run, "gpu", request.device.id);
  if (request.autocast) add(run, "autocast", ops::name_of(*request.autocast));
  add(run, "result", tensor(result));
  run = fmt::format("{{{}, \"inputs\": {{{}}}, \"seed\": {}, \"gradients\": {}}}", run, inputs, request.seed,
                    request.gradients);
  const auto entry = [&](std::string_view key, std::string_view json) {
    trace.metadata.emplace_back(trace.strings.intern(key), trace.strings.intern(json));
  };
  entry("record_shapes", "1");
  entry("profile_memory", "1");
  entry("warpwalk_run", run);
}

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

void RunObserver::input(const ops::Tensor& tensor, const std::string& name, std::uint64_t seed) {
  recorder_.input(tensor, name, seed);
  if (checker_) checker_->remember(tensor);
}

std::vector<OpCheck> RunObserver::take_checks(const std::vector<ops::Tensor>& results) {
  if (!checker_) return {};
  for (const ops::Tensor& result : results) checker_->recall(result);
  return checker_->take();
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
  options.source_folder = request.assets.parent_path() / "kernels";
  options.simulate.threads = request.threads;
  options.simulate.cancel = request.cancel;
  if (request.progress)
    options.simulate.progress = [this](std::uint64_t done, std::uint64_t blocks) {
      request_.progress(launching_, done, blocks);
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
  launches_.push_back({observer_.innermost_op(), planned.entry, planned.grid, planned.block, planned.why});
  observer_.recorder().launch_ends({planned, launch.operands, launch.kernel.ptx, launch.kernel.source, &request_.device,
                                    &launch.launch, &launch.simulation,
                                    gpu::static_shared_bytes(*launch.kernel.program)});
}

void RunBackend::launch(const PlannedLaunch& launch, std::span<const ops::Tensor> operands) {
  observer_.launch_begins(launch);
  gpu_->launch(launch, operands);
  launches_.push_back({observer_.innermost_op(), launch.entry, launch.grid, launch.block, launch.why});
  // The texts of the module come once all ran (complete_modules).
  observer_.recorder().launch_ends({launch, operands, {}, {}, nullptr, nullptr, nullptr, 0, observer_.checks()});
}

void RunBackend::synchronize() {
  if (gpu_ != nullptr) gpu_->synchronize();
}

}  // namespace warpwalk::run
