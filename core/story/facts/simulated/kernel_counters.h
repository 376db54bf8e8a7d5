#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/story/pictures/counts.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Groups of the counters that a kernel's record can have.
enum class CountedGroup : std::uint8_t { instructions, global, shared };

/// The counters of a kernel with the narration's words, [counted]. Empty if there are none; the group of shared memory
/// is also empty if the kernel did not access it.
std::vector<CountedLine> counted_lines(const Narration& narration, std::span<const trace::NamedCounter> counters,
                                       CountedGroup group);
/// The counters in the followed kernel's record.
std::vector<CountedLine> counted_lines(const SceneInput& input, CountedGroup group);

/// Says in a stage which of the followed kernel's counters and cycles are scaled or taken from another launch.
void add_scaled_notes(const SceneInput& input, Stage& stage);

/// Adds the same counters to the facts of a stage, with these notes.
void counted_facts(const SceneInput& input, CountedGroup group, Stage& stage);

/// Warp instructions per block, on average; none if they were not counted or the grid is not known.
std::optional<Figure> instructions_a_block(const SceneInput& input);

/// Adds those of {warp_instructions}, {lanes_active}, {loads}, {stores}, {sectors_each}, {wavefronts} and {conflicts}
/// that were counted.
void add_counted_values(const SceneInput& input, Narration::Values& values);

/// The variant of the sentence that the counters make true: "" or "full" (lanes), "" or "free" (conflicts).
std::string_view counted_variant(const SceneInput& input, CountedGroup group);

}  // namespace warpwalk::story
