#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/gpu/blocks/occupancy.h"
#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// "128 blocks", "one block": a count in words of the narration, [launch.count].
std::string counted_words(const Narration& narration, std::string_view what, std::uint64_t n);

/// The words of the limiters, "registers, shared memory".
std::string limiter_words(const Narration& narration, const gpu::Occupancy& occupancy);

}  // namespace warpwalk::story
