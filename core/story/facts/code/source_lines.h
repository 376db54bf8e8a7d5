#pragma once

#include <cstdint>
#include <optional>

#include "core/run/replay/time_travel.h"
#include "core/story/elements/narration.h"
#include "core/story/pictures/code.h"

namespace warpwalk::story {

/// The lines of source around the one that an instruction comes from, to stand beside its machine code; that line is
/// lit. Without a line, if the compiler gave the instruction none or one of another file, the lines around the kernel's
/// first. nullopt if the source is not known. `shown`: the number of lines.
std::optional<CodePicture::Column> source_column(const Narration& narration, const run::TimeTravel& travel,
                                                 const run::History& history, std::uint32_t instruction,
                                                 std::size_t shown);

}  // namespace warpwalk::story
