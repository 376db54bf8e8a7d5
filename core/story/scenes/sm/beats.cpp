// Scene 5, the VP: one SM. A block takes warp slots, registers and shared memory; then the next one, until one resource
// runs out.
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "core/analysis/slices.h"
#include "core/story/elements/figure.h"
#include "core/story/facts/launch/launch_plan.h"
#include "core/story/facts/words/common_stage.h"
#include "core/story/facts/words/fact_writer.h"
#include "core/story/facts/words/gpu_words.h"
#include "core/story/scenes/scenes.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

using trace::SliceKind;

// The beats of a launch on an SM if everything was recorded.
std::vector<Beat> beats_of(const Trace& trace, const Walk& walk, const trace::KernelDetail& kernel) {
  const std::int64_t start = analysis::since_start(trace, trace.slices.start[walk.kernel]);
  const std::int64_t end = analysis::since_start(trace, trace.slices.end(walk.kernel));
  std::vector<Beat> beats = {{"arrive", start}, {"take", start}, {"fill", start}, {"limit", start}};
  if (kernel.grid[0] > 0) beats.push_back({"grid", start});
  beats.push_back({"change", end});
  beats.push_back({"residents", std::max(end, analysis::since_start(trace, trace.end_ns)), true});
  return in_order(std::move(beats));
}

// Whether the trace says which GPU the kernel ran on. If not, nothing is shown until a GPU is chosen.
bool device_recorded(const Trace& trace, const Walk& walk) {
  const std::int64_t id = trace.tracks[trace.slices.track[walk.kernel]].device;
  return std::any_of(trace.devices.begin(), trace.devices.end(),
                     [&](const trace::Device& device) { return device.id == id; });
}

std::string failure_of(const SmSubject& sm) {
  const gpu::Device& device = *sm.device;
  if (sm.needs.threads > *device.threads_per_block) return "threads";
  if (sm.needs.registers > *device.registers_per_thread) return "registers";
  if (sm.fit.limit(gpu::Limiter::registers) == 0) return "block";
  if (sm.shared() > *device.shared_per_block_optin) return "shared";
  return "room";
}

std::string limit_variant(const SmSubject& sm) {
  if (sm.fit.limiters.size() != 1) return "several";
  if (sm.full()) return "full";
  return std::string(gpu::name_of(sm.fit.limiters.front()));
}

// The single change to describe. Between registers and shared memory, chooses the one that limits occupancy, because
// only that one can help.
std::string change_variant(const SmSubject& sm, const SmGains& gains) {
  if (sm.full()) return sm.grid > 0 && sm.grid < sm.capacity() ? "full.small" : "full";
  if (gains.registers) return "registers";
  if (gains.shared) return "shared";
  return gains.threads ? "block" : "none";
}

std::string section_of(const SmSubject& sm, const std::string& beat, const SmGains& gains) {
  if (!sm.device) return "unknown";
  if (!sm.runs()) return "fails." + failure_of(sm);
  const bool partial = sm.last_warp_threads() != *sm.device->threads_per_warp;
  if (beat == "arrive") return beat + (sm.fit.warps_per_block == 1 ? ".single" : "") + (partial ? ".partial" : "");
  if (beat == "take")
    return beat + (sm.fit.shared_per_block == 0 ? ".plain" : "") +
           (sm.fit.registers_per_warp == sm.needs.registers * *sm.device->threads_per_warp ? "" : ".rounded");
  if (beat == "fill") return beat + (sm.full() ? ".full" : sm.fit.blocks_per_sm == 1 ? ".single" : "");
  if (beat == "limit" || beat == "unknown") return "limit." + limit_variant(sm);
  if (beat == "grid") {
    return beat + (sm.grid < sm.capacity() ? ".small" : sm.grid == sm.capacity() ? ".once" : "");
  }
  return beat + "." + change_variant(sm, gains);
}

void add_gain_values(const SceneInput& input, const SmSubject& sm, const SmGains& gains, Narration::Values& values) {
  const auto blocks = [&](const gpu::BlockNeeds& needs) {
    return counted(input, "block", gpu::occupancy_of(*sm.device, needs).blocks_per_sm);
  };
  if (gains.registers) {
    values["better_registers"] = with_thousands(*gains.registers);
    values["fewer_registers"] = with_thousands(sm.needs.registers - *gains.registers);
    values["better_registers_blocks"] = blocks(with_registers(sm.needs, *gains.registers));
  }
  if (gains.shared) {
    values["better_shared"] = shared_bytes_text(*gains.shared);
    values["fewer_shared"] = shared_bytes_text(sm.shared() - *gains.shared);
    values["better_shared_blocks"] = blocks(with_shared(*sm.device, sm.needs, *gains.shared));
  }
  if (gains.threads) {
    values["better_threads"] = counted(input, "thread", *gains.threads);
    values["better_warps"] =
        with_thousands(gpu::occupancy_of(*sm.device, with_threads(sm.needs, *gains.threads)).warps_per_sm);
  }
}

void add_unrecorded(const SceneInput& input, const Narration::Values& values, Stage& stage) {
  const trace::KernelDetail& kernel = *kernel_detail(input.trace, input.walk);
  FactWriter facts(input, values, stage);
  const GpuWords words = gpu_words(input.trace, input.walk);
  if (const auto threads = analysis::blocks_of(kernel.block); threads && !words.nvidia() && words.lanes) {
    const auto all = static_cast<std::int64_t>(*threads);
    facts.fact("threads", facts.recorded(counted(input, "thread", all)));
    facts.derived("warps", counted(input, "warp", (all + *words.lanes - 1) / *words.lanes));
  }
  if (kernel.block[0] <= 0) facts.missing("block");
  if (kernel.registers == trace::absent || kernel.registers < 0) facts.missing("registers");
  if (kernel.shared_bytes == trace::absent || kernel.shared_bytes < 0) facts.missing("shared");
  facts.missing("rerecord");
}

}  // namespace

std::vector<Beat> sm_beats(const Trace& trace, const Walk& walk) {
  if (walk.empty()) return {{"empty", 0}};
  const SliceId slice = walk.kernel != no_slice ? walk.kernel : walk.op;
  const std::int64_t start = analysis::since_start(trace, trace.slices.start[slice]);
  if (walk.kernel == no_slice) return {{"nothing", start}};
  const trace::KernelDetail* kernel = kernel_detail(trace, walk);
  if (kernel == nullptr) return {{trace.slices.kind[walk.kernel] == SliceKind::memcpy ? "copy" : "fill_memory", start}};
  if (!sm_recorded(*kernel)) return {{"unrecorded", start}};
  // The beats of an SM explain NVIDIA's; of other GPUs neither the limits nor the parts of a processor are described.
  if (!device_recorded(trace, walk) || !gpu_words(trace, walk).nvidia()) return {{"unknown", start}};
  return beats_of(trace, walk, *kernel);
}

Stage sm_stage(const SceneInput& input) {
  std::vector<Beat> beats = sm_beats(input.trace, input.walk);
  const auto index = static_cast<std::size_t>(input.moment.value - 1);
  const std::string beat = beats[index].key;
  Narration::Values values = common_values(input);
  const trace::KernelDetail* kernel = kernel_detail(input.trace, input.walk);
  if (kernel == nullptr || !sm_recorded(*kernel)) {
    if (const auto lanes = gpu_words(input.trace, input.walk).lanes) values["lanes"] = with_thousands(*lanes);
    Stage stage = common_stage(input, "sm", beats, values, "sm");
    if (kernel != nullptr) add_unrecorded(input, values, stage);
    if (beat == "empty") FactWriter(input, values, stage).missing("anything");
    if (beat == "nothing")
      FactWriter(input, values, stage).missing(input.trace.launched.empty() ? "any_gpu_work" : "gpu_work");
    return stage;
  }

  const SmSubject sm = sm_subject(input);
  SmGains gains;
  if (sm.device && sm.runs() && (beat == "change" || beat == "residents")) gains = sm_gains(sm);
  add_sm_values(input, sm, values);
  add_gain_values(input, sm, gains, values);
  if (beat == "residents") return residents_stage(input, std::move(beats), sm, gains, std::move(values));
  beats[index].key = section_of(sm, beat, gains);
  Stage stage = common_stage(input, "sm", beats, values, "sm");
  // Block after block moves into the SM; in the last beat its warps become a curve.
  stage.motion_seconds = beat == "fill" || beat == "change" ? 3.5 : usual_motion_seconds;
  sm_facts(input, sm, beat == "unknown" ? "limit" : beat, gains, values, stage);
  stage.controls = sm_controls(input, sm);
  stage.picture = std::make_shared<const SmPicture>(sm_picture(input, sm, beat, gains, values));
  if (beat == "limit")
    if (const auto asked = limit_question(input, sm, values)) ask(input, values, *asked, stage);
  return stage;
}

std::optional<std::int64_t> sm_stop(const SceneInput& input, bool forward) {
  const std::vector<Beat> beats = sm_beats(input.trace, input.walk);
  const Beat& beat = beats[static_cast<std::size_t>(input.moment.value - 1)];
  return beat.history ? residents_stop(input, forward) : std::nullopt;
}

}  // namespace warpwalk::story
