#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/sass/analysis/control_flow.h"
#include "core/story/elements/narration.h"
#include "core/story/facts/code/decoded_kernel.h"

namespace warpwalk::story {

inline constexpr std::uint8_t dependence_barriers = 6;

/// The control codes of an instruction in sentences, with the words of [translator.schedule]. `setters`: also which
/// instruction sets the barrier that this one waits for. Empty for an instruction that is not known.
std::vector<std::string> control_sentences(const Narration& narration, const DecodedKernel& kernel,
                                           const sass::ControlFlow& flow, std::size_t instruction, bool setters);

}  // namespace warpwalk::story
