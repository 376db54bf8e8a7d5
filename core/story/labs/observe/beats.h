#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// One recorded moment as nvidia-smi, NVML, PyTorch's memory functions, profilers and hardware counters report it.
/// Controls: moment, kernel and gap (µs), blocks, burst (recorded kernels), window and offset (ms), and, set by
/// pointing, instrument.
std::vector<Beat> observe_beats(const Trace& trace, const Walk& walk);
Stage observe_lab(const SceneInput& input);

}  // namespace warpwalk::story
