#include "core/story/facts/simulated/pipeline_words.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "core/gpu/exec/check/finding_text.h"
#include "core/story/elements/figure.h"

namespace warpwalk::story {

namespace {

// By gpu::PipelineTask: keys of [count].
constexpr std::array<std::string_view, gpu::pipeline_tasks> task_keys = {
    "bulk_load",   "bulk_store", "async_copy", "copy_wait",  "shared_store",
    "shared_load", "product",    "arrival_at", "phase_test", "named_barrier"};

std::string text_of_run(const Narration& narration, std::uint32_t first, std::uint32_t last) {
  return narration.text("pipeline.word", first == last ? "warp" : "warps",
                        {{"first", std::to_string(first)}, {"last", std::to_string(last)}});
}

}  // namespace

std::string warps_text(const Narration& narration, std::uint32_t first, std::uint32_t count) {
  return text_of_run(narration, first, first + std::max(count, 1U) - 1);
}

std::string warps_text(const Narration& narration, const std::vector<std::uint32_t>& warps) {
  std::string text;
  for (std::size_t i = 0; i < warps.size();) {
    std::size_t end = i + 1;
    while (end < warps.size() && warps[end] == warps[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += text_of_run(narration, warps[i], warps[end - 1]);
    i = end;
  }
  return text;
}

std::string mbarrier_text(const Narration& narration, std::size_t index) {
  return narration.text("pipeline.word", "mbarrier", {{"n", std::to_string(index + 1)}});
}

std::string mbarrier_place(const run::TimeTravel& travel, const gpu::MbarrierLife& mbarrier) {
  std::string place = gpu::shared_place(travel.program(), mbarrier.offset - gpu::shared_begin);
  // Without a variable: "shared memory at byte 8".
  if (const std::size_t at = place.find("byte "); !place.starts_with('`') && at != std::string::npos)
    place.erase(0, at);
  return place;
}

std::string lacking_text(const Narration& narration, const gpu::MbarrierCount& count) {
  std::string text;
  if (count.arrivals != 0) text = count_text(narration, "arrival", count.arrivals);
  if (count.bytes != 0) {
    const std::string bytes = narration.text("pipeline.word", count.bytes > 0 ? "bytes" : "announcement",
                                             {{"n", with_thousands(std::abs(count.bytes))}});
    text = text.empty() ? bytes
                        : narration.text("pipeline.word", "arrivals_and_bytes", {{"arrivals", text}, {"bytes", bytes}});
  }
  return text.empty() ? narration.text("pipeline.word", "nothing") : text;
}

std::string role_text(const Narration& narration, gpu::WarpRole role) {
  static constexpr std::array<std::string_view, 4> keys = {"other", "producer", "consumer", "both"};
  return narration.text("pipeline.role", keys[static_cast<std::size_t>(role)]);
}

std::string tasks_text(const Narration& narration, const gpu::TaskCounts& tasks) {
  std::string text;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i] == 0) continue;
    if (!text.empty()) text += ", ";
    text += count_text(narration, task_keys[i], static_cast<std::int64_t>(tasks[i]));
  }
  return text;
}

std::string group_phase_text(const Narration& narration, const gpu::BlockPipeline& pipeline,
                             const gpu::WarpGroup& group, std::int64_t cycle) {
  for (std::uint32_t warp = group.first; warp < group.first + group.count; ++warp)
    if (const gpu::BlockPipeline::Wait wait = pipeline.wait_of(warp, cycle); wait.phase != nullptr)
      return narration.text(
          "pipeline.word", "phase",
          {{"phase", std::to_string(wait.phase->number)}, {"mbarrier", mbarrier_text(narration, wait.mbarrier)}});
  return {};
}

std::string group_wait_text(const Narration& narration, const gpu::BlockPipeline& pipeline, const gpu::WarpGroup& group,
                            std::int64_t cycle) {
  for (std::size_t i = 0; i < pipeline.mbarriers.size(); ++i) {
    std::vector<std::uint32_t> warps = pipeline.waiting_for(i, cycle);
    std::erase_if(warps, [&](std::uint32_t warp) { return warp < group.first || warp >= group.first + group.count; });
    if (warps.empty()) continue;
    const gpu::MbarrierPhase& phase = *pipeline.wait_of(warps.front(), cycle).phase;
    return narration.text("pipeline.word", warps.size() == 1 ? "waits" : "wait",
                          {{"who", warps_text(narration, warps)},
                           {"phase", std::to_string(phase.number)},
                           {"mbarrier", mbarrier_text(narration, i)},
                           {"lacking", lacking_text(narration, phase.at(cycle))}});
  }
  return {};
}

}  // namespace warpwalk::story
