#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// What a kernel's record can have counted, by what it is about.
enum class CountedGroup : std::uint8_t { instructions, global, shared };

/// What was counted of a kernel, in the words of the narration, [counted]. Empty where nothing was, and for shared
/// memory where the kernel never went there.
std::vector<CountedLine> counted_lines(const Narration& narration, std::span<const trace::NamedCounter> counters,
                                       CountedGroup group);
/// The same of the followed kernel's record.
std::vector<CountedLine> counted_lines(const SceneInput& input, CountedGroup group);

/// The same as facts of a stage.
void counted_facts(const SceneInput& input, CountedGroup group, Stage& stage);

/// Warp instructions a block on average; none where they were not counted or the grid is not known.
std::optional<Figure> instructions_a_block(const SceneInput& input);

/// Adds {warp_instructions}, {lanes_active}, {loads}, {stores}, {sectors_each}, {wavefronts} and {conflicts}, those of
/// them that were counted.
void add_counted_values(const SceneInput& input, Narration::Values& values);

/// Which sentence is true of what was counted: "" or "full" (lanes), "" or "free" (conflicts).
std::string_view counted_variant(const SceneInput& input, CountedGroup group);

}  // namespace warpwalk::story
