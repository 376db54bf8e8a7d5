// The followed launch, and the values of its words.
#include <algorithm>

#include <fmt/format.h>

#include "core/analysis/names/short_names.h"
#include "core/analysis/slices.h"
#include "core/records/hardware.h"
#include "core/story/facts/simulated/followed_number.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/launch/launch.h"
#include "core/story/scenes/sm/sm.h"

namespace warpwalk::story {
namespace {

std::string share_in_percent(double share) { return Figure::derived(100 * share, Unit::percent, "-").text(); }

void put_plan(LaunchSubject& subject) {
  Narration::Values& values = subject.values;
  const LaunchPlan& plan = *subject.plan;
  const Narration& n = subject.input.narration;
  values["grid"] = analysis::shape_text(plan.grid);
  values["block"] = analysis::shape_text(plan.block);
  values["launched_grid"] = analysis::shape_text(plan.launched_grid);
  values["launched_block"] = analysis::shape_text(plan.launched_block);
  values["blocks"] = counted_words(n, "blocks", plan.blocks);
  values["launched_blocks"] = counted_words(n, "blocks", plan.launched_blocks);
  values["threads"] = counted(subject.input, "thread", plan.threads);
  values["launched_threads"] = counted(subject.input, "thread", plan.launched_threads);
  values["gpu"] = plan.device ? plan.device->name : plan.match.recorded;
  values["failure"] = plan.occupancy.failure;
  values["follow"] = whole_text(subject.followed);
  values["used"] = counted_words(n, "sms", subject.sms_used());
  values["placed"] = counted_words(n, "blocks", plan.placed.size());
  values["reused"] = counted_words(n, "blocks", subject.reused());
  if (plan.device) {
    const auto sms = static_cast<std::uint64_t>(*plan.device->sm_count);
    values["sms"] = counted_words(n, "sms", sms);
    values["idle"] = counted_words(n, "sms", subject.sms_idle());
    values["capability"] = *plan.device->compute_capability;
  }
  if (plan.time) {
    values["block_time"] = time_text(plan.time->block_ns);
    values["residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.time->residents));
    values["last_block_time"] = time_text(plan.time->last_block_ns);
    values["last_residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.time->last_residents));
  }
  if (plan.time_model) {
    const ScaledTime& recorded = plan.time_model->recorded();
    values["recorded_block_time"] = time_text(recorded.block_ns);
    values["recorded_residents"] = counted_words(n, "blocks", static_cast<std::uint64_t>(recorded.residents));
  }
  if (!plan.counted()) return;
  values["per_sm"] = counted_words(n, "blocks", static_cast<std::uint64_t>(plan.occupancy.blocks_per_sm));
  values["limiter"] = limiter_words(n, plan.occupancy);
  std::string limits;
  for (std::size_t l = 0; l < gpu::limiter_count; ++l) {
    const auto limiter = static_cast<gpu::Limiter>(l);
    if (const gpu::Occupancy::Limit& limit = plan.occupancy.limit(limiter))
      limits +=
          fmt::format("{}{} {}", limits.empty() ? "" : ", ", n.text("launch.limiter", gpu::name_of(limiter)), *limit);
  }
  values["limits"] = limits;
  values["slots"] = whole_text(plan.slots());
  values["waves"] = whole_text(plan.waves.waves());
  values["full"] = whole_text(plan.waves.full_waves);
  const std::uint64_t tail = plan.waves.tail_blocks == 0 ? plan.slots() : plan.waves.tail_blocks;
  values["tail"] = counted_words(n, "blocks", tail);
  values["free"] = whole_text(plan.slots() - tail);
  values["waiting"] = counted_words(n, "blocks", plan.blocks - std::min(plan.blocks, plan.slots()));
  values["share"] = share_in_percent(static_cast<double>(tail) / static_cast<double>(plan.slots()));
  values["efficiency"] = share_in_percent(plan.waves.tail_efficiency);
}

void put_values(LaunchSubject& subject) {
  const auto put_time = [&](std::string_view key, std::int64_t ns) {
    subject.values[std::string(key)] = time_text(static_cast<double>(ns));
  };
  const StreamQueue& queue = subject.queue;
  put_time("queue", queue.queue());
  put_time("way", queue.way());
  put_time("early", queue.launch_end - queue.start);
  put_time("skew", queue.launch_start - queue.start);
  subject.values["waiting_pieces"] = with_thousands(static_cast<std::int64_t>(queue.ahead.count));
  add_work_ahead(subject.trace(), queue.ahead, subject.values);
  if (subject.plan) put_plan(subject);
}

}  // namespace

bool launches_blocks(const Trace& trace, const Walk& walk) {
  const trace::KernelDetail* const kernel = kernel_detail(trace, walk);
  return kernel != nullptr && analysis::blocks_of(kernel->grid) && analysis::blocks_of(kernel->block);
}

LaunchSubject launch_subject(const SceneInput& input, Placed placed) {
  LaunchSubject subject{input, common_values(input)};
  subject.queue = stream_queue_of(input.trace, input.walk);
  subject.transfer = input.trace.slices.kind[input.walk.kernel] != trace::SliceKind::kernel;
  subject.plan = launch_plan(input, placed);
  if (subject.plan) subject.followed = followed_block(input, subject.plan->blocks);
  put_values(subject);
  return subject;
}

const PlacedBlock* LaunchSubject::followed_block() const {
  if (!plan) return nullptr;
  for (const PlacedBlock& block : plan->placed)
    if (block.block == followed) return &block;
  return nullptr;
}

std::uint64_t LaunchSubject::sms_used() const {
  // One for each SM: an SM's slots fill from the first one on.
  return static_cast<std::uint64_t>(std::count_if(plan->placed.begin(), plan->placed.end(),
                                                  [](const PlacedBlock& b) { return b.slot == 0 && b.turn == 0; }));
}

std::uint64_t LaunchSubject::sms_idle() const {
  const std::uint64_t sms = plan->device ? static_cast<std::uint64_t>(*plan->device->sm_count) : 0;
  return sms - std::min(sms, sms_used());
}

std::uint64_t LaunchSubject::reused() const { return plan->recorded ? plan->placed.size() - first_fill() : 0; }

std::uint64_t LaunchSubject::first_fill() const {
  return static_cast<std::uint64_t>(
      std::count_if(plan->placed.begin(), plan->placed.end(), [](const PlacedBlock& b) { return b.turn == 0; }));
}

}  // namespace warpwalk::story
