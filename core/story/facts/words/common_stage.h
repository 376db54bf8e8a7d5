#pragma once

#include <string_view>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The common parts of the stage of the beat at `input.moment`, one of so many: texts of the narration, place in the
/// scene, and the route, on which `here` is the stop that the beat is about. `section`: of its texts, after "SCENE.".
Stage common_stage(const SceneInput& input, std::string_view scene, std::size_t beats, std::string_view section,
                   const Narration::Values& values, std::string_view here);

/// The values that the sentences of every scene may use: {op}, {root}, {kernel}, {call}, {stream}, {device} ..., and
/// the chosen names of things: {n.sm}, {n.warps} ...
Narration::Values common_values(const SceneInput& input);

/// Why the followed kernel cannot be simulated, in words; for HistoryView::State::impossible.
std::string history_reason(const SceneInput& input);

/// Adds {stand_in}: the stand-in kernel, {gpu}: the simulated GPU, and {percent}: the progress.
void add_history_values(const SceneInput& input, Narration::Values& values);
/// Adds what came of simulating the kernel again: whether a recorded launch leaves the bits that the GPU left,
/// what differs from the record, or why a stand-in is shown in its place.
void add_replay_facts(const SceneInput& input, Stage& stage);

/// The ten stops from Python to the registers; the one whose key is `here` is marked.
std::vector<Stop> route_of(const SceneInput& input, std::string_view here);

}  // namespace warpwalk::story
