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

std::string failure_of(const SmSubject& sm) {
  const gpu::Device& device = *sm.device;
  if (sm.needs.threads > *device.threads_per_block) return "threads";
  if (sm.needs.registers > *device.registers_per_thread) return "registers";
  if (sm.fit.limit(gpu::Limiter::registers) == 0) return "block";
  if (sm.shared() > *device.shared_per_block_optin) return "shared";
  return "room";
}

// The section of a beat if the launch runs on the SM; if not, each beat says so.
template <std::string section(const SmSubject&)>
std::string section_if_runs(const SmSubject& sm) {
  if (!sm.device) return "unknown";
  return sm.runs() ? section(sm) : "fails." + failure_of(sm);
}

template <void facts(const SmSubject&, FactWriter&)>
void facts_if_runs(const SmSubject& sm, FactWriter& writer) {
  if (sm.device && sm.runs()) facts(sm, writer);
}

std::string arrive_section(const SmSubject& sm) {
  const bool partial = sm.last_warp_threads() != *sm.device->threads_per_warp;
  return fmt::format("arrive{}{}", sm.fit.warps_per_block == 1 ? ".single" : "", partial ? ".partial" : "");
}

std::string take_section(const SmSubject& sm) {
  const bool exact = sm.fit.registers_per_warp == sm.needs.registers * *sm.device->threads_per_warp;
  return fmt::format("take{}{}", sm.fit.shared_per_block == 0 ? ".plain" : "", exact ? "" : ".rounded");
}

std::string fill_section(const SmSubject& sm) {
  return sm.full() ? "fill.full" : sm.fit.blocks_per_sm == 1 ? "fill.single" : "fill";
}

std::string sm_limit_section(const SmSubject& sm) {
  if (sm.fit.limiters.size() != 1) return "limit.several";
  return sm.full() ? "limit.full" : fmt::format("limit.{}", gpu::name_of(sm.fit.limiters.front()));
}

std::string grid_section(const SmSubject& sm) {
  return sm.grid < sm.capacity() ? "grid.small" : sm.grid == sm.capacity() ? "grid.once" : "grid";
}

// The single change to describe. Between registers and shared memory, chooses the one that limits occupancy, because
// only that one can help.
std::string change_section(const SmSubject& sm) {
  if (sm.full()) return sm.grid > 0 && sm.grid < sm.capacity() ? "change.full.small" : "change.full";
  if (sm.gains.registers) return "change.registers";
  if (sm.gains.shared) return "change.shared";
  return sm.gains.threads ? "change.block" : "change.none";
}

void complete(SmSubject& sm, const Narration::Values& values, Stage& stage) {
  if (sm.device && sm.gpu_choice > 0)
    stage.missing.push_back(sm.input.narration.text("sm.gpu", "tip.other"));
  else if (sm.device && sm.match.how == analysis::DeviceMatch::How::adapted)
    FactWriter(sm.input, values, stage).missing("adapted");
  stage.controls = sm_controls(sm);
}

template <int place>
void moving_picture(const SmSubject& sm, Stage& stage) {
  stage.picture = std::make_shared<const SmPicture>(sm_picture(sm, place, sm.input.moment.phase));
}

/// A walk without a launch on an SM, or whose record does not say what it takes there.
struct NoSm {
  const SceneInput& input;
};

Narration::Values values_without_sm(const NoSm& s) {
  Narration::Values values = common_values(s.input);
  if (const auto lanes = gpu_words(s.input.trace, s.input.walk).lanes) values["lanes"] = with_thousands(*lanes);
  return values;
}

void unrecorded_facts(const NoSm& s, FactWriter& facts) {
  const SceneInput& input = s.input;
  const trace::KernelDetail& kernel = *kernel_detail(input.trace, input.walk);
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

using Anchor = std::optional<std::int64_t>;

/// What the walk follows on the GPU, as far as an SM is concerned.
enum class GpuWork : std::uint8_t { none, copy, fill, unrecorded_kernel, kernel_of_unknown_gpu, kernel };

GpuWork work_of(const WalkTimes& t) {
  if (t.walk.kernel == no_slice) return GpuWork::none;
  const trace::KernelDetail* const kernel = kernel_detail(t.trace, t.walk);
  if (kernel == nullptr)
    return t.trace.slices.kind[t.walk.kernel] == trace::SliceKind::memcpy ? GpuWork::copy : GpuWork::fill;
  if (!sm_recorded(*kernel)) return GpuWork::unrecorded_kernel;
  // The beats of an SM explain NVIDIA's; of other GPUs neither the limits nor the parts of a processor are described.
  // Without a GPU in the trace, nothing is shown until one is chosen.
  const std::int64_t id = t.trace.tracks[t.trace.slices.track[t.walk.kernel]].device;
  const bool recorded = std::ranges::find(t.trace.devices, id, &trace::Device::id) != t.trace.devices.end();
  return recorded && gpu_words(t.trace, t.walk).nvidia() ? GpuWork::kernel : GpuWork::kernel_of_unknown_gpu;
}

template <GpuWork work>
Anchor start_of(const WalkTimes& t) {
  return work_of(t) == work ? Anchor(t.start(t.walk.kernel)) : std::nullopt;
}

Anchor sm_grid_anchor(const WalkTimes& t) {
  const Anchor start = start_of<GpuWork::kernel>(t);
  return start && kernel_detail(t.trace, t.walk)->grid[0] > 0 ? start : std::nullopt;
}

Anchor end_anchor(const WalkTimes& t) {
  return work_of(t) == GpuWork::kernel ? Anchor(t.end(t.walk.kernel)) : std::nullopt;
}

Anchor residents_anchor(const WalkTimes& t) {
  const Anchor end = end_anchor(t);
  return end ? std::max(*end, t.end_of_trace()) : end;
}

Anchor sm_nothing_anchor(const WalkTimes& t) {
  return !t.walk.empty() && work_of(t) == GpuWork::none ? Anchor(t.start(t.walk.op)) : std::nullopt;
}

constexpr Frame<SmSubject> on_sm = {.subject = sm_subject,
                                    .stop = "sm",
                                    .values = [](const SmSubject& sm) { return sm.values; },
                                    .facts = sm_facts,
                                    .complete = complete};
constexpr Frame<NoSm> without_sm = {
    .subject = [](const Here& here) { return NoSm{here.input}; }, .stop = "sm", .values = values_without_sm};

// Block after block moves into the SM; in the last beat its warps become a curve.
constexpr double longer_seconds = 3.5;

using SmBeat = BeatOf<SmSubject>;
constexpr SmBeat arrive_beat = {.key = "arrive",
                                .anchor = start_of<GpuWork::kernel>,
                                .first_route = true,
                                .section = section_if_runs<arrive_section>,
                                .facts = facts_if_runs<arrive_facts>,
                                .picture = moving_picture<first_block_comes>};
constexpr SmBeat take_beat = {.key = "take",
                              .anchor = start_of<GpuWork::kernel>,
                              .section = section_if_runs<take_section>,
                              .facts = facts_if_runs<take_facts>,
                              .picture = moving_picture<first_block_stays>};
constexpr SmBeat fill_beat = {.key = "fill",
                              .anchor = start_of<GpuWork::kernel>,
                              .first_route = true,
                              .motion_seconds = longer_seconds,
                              .section = section_if_runs<fill_section>,
                              .facts = facts_if_runs<fill_facts>,
                              .picture = moving_picture<other_blocks_come>,
                              .question = limit_question};
constexpr SmBeat limit_beat = {.key = "limit",
                               .anchor = start_of<GpuWork::kernel>,
                               .first_route = true,
                               .section = section_if_runs<sm_limit_section>,
                               .facts = facts_if_runs<limit_facts>,
                               .picture = moving_picture<limit_glows>,
                               .question = limit_question};
constexpr SmBeat sm_grid_beat = {.key = "grid",
                                 .anchor = sm_grid_anchor,
                                 .section = section_if_runs<grid_section>,
                                 .facts = facts_if_runs<grid_facts>,
                                 .picture = moving_picture<meters_come>};
constexpr SmBeat change_beat = {.key = "change",
                                .anchor = end_anchor,
                                .motion_seconds = longer_seconds,
                                .section = section_if_runs<change_section>,
                                .facts = facts_if_runs<change_facts>,
                                .picture = moving_picture<curves_come>};
constexpr SmBeat unknown_gpu_beat = {.key = "unknown",
                                     .anchor = start_of<GpuWork::kernel_of_unknown_gpu>,
                                     .section = section_if_runs<sm_limit_section>,
                                     .facts = facts_if_runs<limit_facts>,
                                     .picture = moving_picture<limit_glows>};

constexpr BeatOf<NoSm> unrecorded_beat = {
    .key = "unrecorded", .anchor = start_of<GpuWork::unrecorded_kernel>, .facts = unrecorded_facts};
constexpr BeatOf<NoSm> copy_beat = {.key = "copy", .anchor = start_of<GpuWork::copy>};
constexpr BeatOf<NoSm> fill_memory_beat = {.key = "fill_memory", .anchor = start_of<GpuWork::fill>};
constexpr BeatOf<NoSm> sm_nothing_beat = {
    .key = "nothing", .anchor = sm_nothing_anchor, .facts = [](const NoSm& s, FactWriter& facts) {
      facts.missing(s.input.trace.launched.empty() ? "any_gpu_work" : "gpu_work");
    }};
constexpr BeatOf<NoSm> sm_empty_beat = {
    .key = "empty", .anchor = empty_anchor, .facts = [](const NoSm&, FactWriter& facts) { facts.missing("anything"); }};

}  // namespace

const Contents& sm_scene() {
  static const BeatTable table(
      "sm",
      {framed(on_sm, arrive_beat), framed(on_sm, take_beat), framed(on_sm, fill_beat), framed(on_sm, limit_beat),
       framed(on_sm, sm_grid_beat), framed(on_sm, change_beat), residents_beat(residents_anchor),
       framed(on_sm, unknown_gpu_beat), framed(without_sm, unrecorded_beat), framed(without_sm, copy_beat),
       framed(without_sm, fill_memory_beat), framed(without_sm, sm_nothing_beat), framed(without_sm, sm_empty_beat)});
  return table;
}

}  // namespace warpwalk::story
