#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// relu and vecadd in CUDA C++ and in Triton: threads and program instances, Triton's layout and masks, PTX and
/// counters of both, measured times, autotuning, torch.compile's kernel, and a Triton op in PyTorch. Controls: kernel,
/// n (elements), block (threads), block_size (elements per program instance), warps, size (of matrices), config (that
/// is predicted), op, and, set by pointing, element and line (of the generated source).
std::vector<Beat> cuda_triton_beats(const Trace& trace, const Walk& walk);
Stage cuda_triton(const SceneInput& input);

}  // namespace warpwalk::story
