#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/elements/figure.h"
#include "core/story/elements/narration.h"
#include "core/trace/trace.h"
#include "instrumentation/nvml_sampler.h"

namespace warpwalk::pages {

/// A figure of the panel; none if the GPU does not report it.
struct GpuFact {
  std::string label;
  std::optional<story::Figure> figure;
};

/// The figures above the strips, as measured by NVML.
struct GpuHeads {
  GpuFact busy, memory_busy, memory_used, power;
};
GpuHeads gpu_heads(const story::Narration& words, const instrumentation::GpuSample& gpu);
/// The other figures of a GPU.
std::vector<GpuFact> gpu_facts(const story::Narration& words, const instrumentation::GpuSample& gpu);

/// A row of the list of processes.
struct ProcessRow {
  std::uint32_t pid = 0;
  std::string name;  ///< empty if not known
  std::optional<story::Figure> memory;
};
/// The processes, those with the most memory first and those of unknown memory last.
std::vector<ProcessRow> process_rows(const instrumentation::GpuSample& gpu);

/// The peak of a walk's memory on a real GPU: of its allocator or, if that was not recorded, of the program.
struct WalkMemory {
  std::optional<story::Figure> allocated, reserved;
  std::string words;                        ///< whose figures they are, or why there are none; one line
  std::optional<story::Figure> taken = {};  ///< from the driver
};
WalkMemory walk_memory(const story::Narration& words, const trace::Trace& trace, const std::string& name);

}  // namespace warpwalk::pages
