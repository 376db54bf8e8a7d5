#pragma once

// The parts of the scene "map": the lines of the receipt, the desks of the company, the beats about the simulated GPU
// and about untimed work, and the last page. The types of the picture are those of picture.h, which its painter reads.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/facts/launch/launch_call.h"
#include "core/story/facts/launch/receipt.h"
#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Whether an op is dispatched before the launch; else the program calls the launch itself.
bool has_op(const Walk& walk);
/// The launch of a graph is shared equally among its nodes, so that this work pays for its own part only.
bool shares_launch(const Receipt& receipt, const LaunchCall& call);
/// ns of the launch call that this work pays for.
std::int64_t own_launch(const Receipt& receipt, const LaunchCall& call);
/// ns: the sum of the receipt's lines.
std::int64_t total_of(const Receipt& receipt, const LaunchCall& call);

/// The number in the place of the first scene's question mark, and what the next op makes of it.
Stage answer_stage(const SceneInput& input, std::vector<Beat> beats, Narration::Values values);

/// The lines of the receipt of the followed work. `beat`: the line that is being added at this phase; "total": all are
/// there, "fold": none.
std::vector<ReceiptLine> receipt_lines(const SceneInput& input, const Receipt& receipt, std::string_view beat,
                                       double phase);

/// The seven desks of the company, the hardware that each represents, and its value in this run. `folded`: 0 shows the
/// company's names, 1 the hardware's.
std::vector<Station> map_stations(const SceneInput& input, double folded);

/// Whether the map ends with a beat about the simulated GPU's counters. True for a kernel whose trace lacks simulated
/// counters.
bool ends_simulated(const Trace& trace, const Walk& walk);

/// The variant of the sentence that is true in that beat.
std::string_view simulated_variant(const SceneInput& input);

/// Adds the lines, banner, facts and missing data of that beat.
void add_simulated_beat(const SceneInput& input, Stage& stage, ReceiptPicture& picture);

/// The section of the narration of the beat "gpu", after "gpu.": why there are no cycles, or what is compared; empty
/// for the plain one. Adds the values that its sentences use.
std::string gpu_variant(const SceneInput& input, Narration::Values& values);

/// Adds the whole GPU at a glance to a stage; without cycles, clears the receipt, as the beat before does. `alone`: no
/// beat before has cleared it.
void add_gpu_beat(const SceneInput& input, bool alone, Stage& stage, ReceiptPicture& receipt);

/// The beats of a walk whose work is untimed: the desks, then each recorded group of counters.
std::vector<Beat> counted_beats(const Trace& trace, const Walk& walk);

/// The variant of the sentence that is true in such a beat; empty for the first one.
std::string counted_beat_variant(const SceneInput& input, std::string_view beat);

/// Adds the lines, facts and missing data of a beat of a walk without times.
void add_counted_beat(const SceneInput& input, const std::vector<Beat>& beats, std::string_view beat, Stage& stage,
                      ReceiptPicture& picture);

/// The last page of a walk: what it showed, with its own figures, what to try, and where to go from there.
void add_closing(const SceneInput& input, Narration::Values values, Stage& stage);

}  // namespace warpwalk::story
