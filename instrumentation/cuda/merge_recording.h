#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::cuda {

/// Fills the times and figures of CUPTI's record of this process into a walk whose kernels and launch calls have none:
/// the n-th launch of the walk is the n-th last of the record, since the walk is the last thing that ran. The calls,
/// copies and waits of that time that the walk does not know are added, and `recorder` ("CUPTI 13.0") as the source of
/// it all. The walk is not linked yet; the record is. None, or one line: the record has fewer kernels than the walk.
///
/// Both traces' base times are of the same clock, by what CUPTI says of its own. Its times are taken as they are: where
/// a launch call is not within the host's own times of it, the source says by how much.
std::optional<std::string> merge_recording(const trace::Trace& record, std::string_view recorder, trace::Trace& walk);

}  // namespace warpwalk::cuda
