#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/story/pictures/table.h"
#include "core/story/scenes/lanes/subject.h"

namespace warpwalk::story {

/// The first error that was found in the launch; null if there is none.
const gpu::Finding* first_error(const run::History& history);

/// The place of an error: the first time that its thread's warp issues an instruction of its line, preferably one that
/// accesses memory. None if that is not in the cycles that are simulated.
std::optional<ErrorPlace> place_of_error(run::TimeTravel& travel, const run::History& history,
                                         const gpu::Finding& finding);

/// The section of the narration for the beat about errors: by the kind of error, or why none is shown.
std::string error_section(const LanesSubject& subject);

/// Other accesses to the bytes that the subject's lane accesses, before and after it: by its block in shared memory, by
/// its SM in global memory.
TablePicture accesses_table(const SceneInput& input, const LanesSubject& subject);

}  // namespace warpwalk::story
