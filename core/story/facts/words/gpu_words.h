#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/story/elements/walk.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Whose words name the parts of the GPU that the followed work ran on. The narration is written in NVIDIA's words. For
/// another vendor, a text KEY.VENDOR stands in for KEY, and [words.VENDOR] has the words to replace in all other texts.
struct GpuWords {
  std::string_view vendor;            ///< "amd"; empty: NVIDIA's words hold
  std::optional<std::int64_t> lanes;  ///< threads of a warp (wavefront); 32 for NVIDIA; none: not recorded

  bool nvidia() const { return vendor.empty(); }
};

/// AMD's, if the trace's GPU is called so or has warps of 64, or if it has no name and the launch is one of HIP's; else
/// NVIDIA's. For a walk without GPU work, the first GPU of the trace counts.
GpuWords gpu_words(const Trace& trace, const Walk& walk);

/// The values that a vendor's texts may use: {gpu.lanes}; {gpu.unit}, {gpu.units}, {gpu.Unit} and {gpu.Units} are what
/// the trace counts as SMs: AMD's compute units, or workgroup processors (two compute units each), which is what HIP
/// counts on GPUs with wavefronts of 32 (https://github.com/ROCm/hip/issues/3767).
Narration::Values gpu_word_values(const Narration& narration, const GpuWords& words);

/// Whether a beat shows another GPU than the trace's, for which NVIDIA's words hold: the simulated one, or one that the
/// person chose. `history`: the beat shows SceneInput::history (Beat::history).
bool shows_other_gpu(const SceneInput& input, std::string_view scene, bool history);

/// Says on a stage that the simulated GPU, with its warps and SMs, is not of the vendor of the trace's GPU.
void add_other_gpu(const SceneInput& input, const GpuWords& words, Stage& stage);

}  // namespace warpwalk::story
