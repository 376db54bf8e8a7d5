#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/story/stage/figure.h"
#include "core/trace/trace.h"
#include "instrumentation/nvml_sampler.h"

namespace warpwalk::panels {

/// A figure of the panel; none where the GPU does not tell it.
struct GpuFact {
  std::string label;
  std::optional<story::Figure> figure;
};

/// The figures that stand over the strips, as NVML measured them.
struct GpuHeads {
  GpuFact busy, memory_busy, memory_used, power;
};
GpuHeads gpu_heads(const recording::GpuSample& gpu);
/// The other figures of a GPU.
std::vector<GpuFact> gpu_facts(const recording::GpuSample& gpu);

/// A process as the panel lists it: its number, what it is, and its memory.
struct ProcessRow {
  std::uint32_t pid = 0;
  std::string name;  ///< empty where it cannot be known
  std::optional<story::Figure> memory;
};
/// The processes with the most memory first; those of unknown memory last.
std::vector<ProcessRow> process_rows(const recording::GpuSample& gpu);

/// What a walk held of a real GPU's memory at its highest: its allocator or, where that is not on record, the program.
struct WalkMemory {
  std::optional<story::Figure> allocated, reserved;
  std::string words;                        ///< whose they are, or why there are none, in one line
  std::optional<story::Figure> taken = {};  ///< from the driver
};
WalkMemory walk_memory(const trace::Trace& trace, const std::string& name);

/// How often it is asked and by whom: "measured by NVML, 4 times a second".
std::string sampling_words(const recording::NvmlSampler::Options& options);
/// What is easily mistaken, a head and a sentence each.
const std::vector<std::pair<std::string, std::string>>& observe_notes();
/// What there would be to see.
const std::string& observe_promise();

}  // namespace warpwalk::panels
