#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/timing/stall_reason.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The unit of a kernel's counter, from its name: "..._pct", "..._bytes", else a count.
Unit unit_of_counter(std::string_view name);

/// A counter of the followed kernel's record; null if it has none.
const trace::NamedCounter* recorded_counter(const SceneInput& input, std::string_view name);

/// Whether the cycles of the followed kernel's record are simulated ones of a schedule that was estimated from its PTX.
bool has_estimated_schedule(const SceneInput& input);
/// The label of a figure that depends on the schedule of a kernel's instructions; it says so if that was estimated from
/// the PTX.
std::string schedule_label(const Narration& narration, std::string label, bool estimated);

/// A reason why warps did not issue, with its share of the resident warps' cycles.
struct StallShare {
  std::string reason;  ///< Nsight Compute's name: "long_scoreboard"
  double percent = 0;
};
/// The stall reasons in the followed kernel's record, largest share first. Includes "selected", the cycles in which a
/// warp issued.
std::vector<StallShare> stall_shares(const SceneInput& input);

/// A reason why warps do not issue, by the name that it has in all reports, with a word for it: "long_scoreboard
/// (global memory)". A name that is not known here stays alone.
std::string stall_word(const Narration& narration, std::string_view reason);
/// What a warp does in a cycle, with the name of the reason: "It waits for other warps at a barrier (barrier)".
std::string stall_sentence(const Narration& narration, gpu::StallReason reason);

/// Adds to a stage's facts what the record has of the kernel's cycles: their number, the achieved occupancy, and the
/// three largest reasons why its warps waited.
void cycle_facts(const SceneInput& input, Stage& stage);

}  // namespace warpwalk::story
