#pragma once

// Parts of the scenes that show the cycles of the followed kernel.

#include <cstdint>
#include <optional>
#include <string>

#include "core/story/beats/beat_of.h"

namespace warpwalk::story {

/// The start of the followed kernel; none if the walk follows none.
std::optional<std::int64_t> kernel_anchor(const WalkTimes& times);

/// Frame::instead of these scenes: the texts that say why no cycles can be shown.
std::string without_cycles(const Here& here, Narration::Values& values);

/// The subject of beats that have texts alone.
struct WordsAlone {};
inline WordsAlone words_alone(const Here&) { return {}; }

/// The beat of a walk that is empty, and of one that follows no kernel.
extern const BeatOf<WordsAlone> empty_walk_beat, no_kernel_beat;

}  // namespace warpwalk::story
