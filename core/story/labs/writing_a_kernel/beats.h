#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// An op, leaky_relu, written part by part: schema, output, switch over types, kernel, result, derivative. Its kernel
/// runs on the simulated GPU. Controls: slope (hundredths), n (elements), dtype, block, layout, mistake.
std::vector<Beat> writing_a_kernel_beats(const Trace& trace, const Walk& walk);
Stage writing_a_kernel(const SceneInput& input);

}  // namespace warpwalk::story
