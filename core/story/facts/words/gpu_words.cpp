#include "core/story/facts/words/gpu_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/gpu/device/gpu_name.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t nvidia_lanes = 32;

const trace::Device* gpu_of_walk(const Trace& trace, const Walk& walk) {
  if (walk.kernel == no_slice) return trace.devices.empty() ? nullptr : &trace.devices.front();
  const std::int64_t id = trace.tracks[trace.slices.track[walk.kernel]].device;
  const auto at = std::ranges::find(trace.devices, id, &trace::Device::id);
  return at == trace.devices.end() ? nullptr : &*at;
}

}  // namespace

GpuWords gpu_words(const Trace& trace, const Walk& walk) {
  const trace::Device* const gpu = gpu_of_walk(trace, walk);
  const std::string_view name = gpu == nullptr ? std::string_view() : trace.text(gpu->name);
  const bool wide = gpu != nullptr && gpu->warp_size == 64;
  const bool hip = name.empty() && walk.launch != no_slice && trace.name(walk.launch).starts_with("hip");
  if (!gpu::is_amd(name) && !wide && !hip) return {{}, nvidia_lanes};
  const bool recorded = gpu != nullptr && (gpu->warp_size == 32 || gpu->warp_size == 64);
  return {"amd", recorded ? std::optional(gpu->warp_size) : std::nullopt};
}

Narration::Values gpu_word_values(const Narration& narration, const GpuWords& words) {
  const std::string section = fmt::format("part.{}", words.vendor);
  Narration::Values values;
  values["gpu.lanes"] = words.lanes ? std::to_string(*words.lanes) : narration.text(section, "lanes");
  const std::string_view part = words.lanes == 32 ? "pair" : "unit";
  for (const std::string_view form : {"unit", "units", "Unit", "Units"})
    values.emplace(fmt::format("gpu.{}", form), narration.text(section, fmt::format("{}.{}", part, form)));
  return values;
}

bool shows_other_gpu(const SceneInput& input, std::string_view scene, bool history) {
  using State = HistoryView::State;
  const bool simulated = input.history.state == State::ready || input.history.state == State::building;
  return (history && simulated) || input.set(scene, "gpu").value_or(0) >= 0.5;
}

void add_other_gpu(const SceneInput& input, const GpuWords& words, Stage& stage) {
  stage.missing.push_back(input.narration.text("missing", fmt::format("other_gpu.{}", words.vendor)));
}

}  // namespace warpwalk::story
