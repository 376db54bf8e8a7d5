#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The seven desks of the company with the hardware that each stands for, and what each was in this run. `folded`: 0
/// the company's names stand, 1 the hardware's.
std::vector<Station> map_stations(const SceneInput& input, double folded);

/// The beats of a walk whose work has no time: its desks, then what was counted, as far as anything was.
std::vector<Beat> untimed_map_beats(const Trace& trace, const Walk& walk);

/// Which of several sentences is true in such a beat; empty for the first.
std::string untimed_map_variant(const SceneInput& input, std::string_view beat);

/// Whether the map ends with a beat on what the simulated GPU counts: for a kernel of which the trace has no simulated
/// counts itself.
bool ends_simulated(const Trace& trace, const Walk& walk);

/// Which of several sentences is true in that beat.
std::string_view simulated_variant(const SceneInput& input);

/// Lines, banner, facts and gaps of that beat.
void tell_simulated_map(const SceneInput& input, Stage& stage, ReceiptPicture& picture);

/// Lines, facts and gaps of a beat of a walk without times.
void tell_untimed_map(const SceneInput& input, const std::vector<Beat>& beats, std::string_view beat, Stage& stage,
                      ReceiptPicture& picture);

}  // namespace warpwalk::story
