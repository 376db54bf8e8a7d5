#pragma once

#include <string_view>

#include "core/base/result.h"
#include "core/trace/trace.h"

namespace warpwalk::cuda {

/// Copies times and figures from CUPTI's recording of this process into a walk whose kernels and launch calls have
/// none. The walk is the last thing that ran, so its launches are the last ones of the recording. Calls and copies from
/// that period that the walk lacks are added, and `recorder` ("CUPTI 13.0") is added as the source. The walk must not
/// be linked yet; the record must be. On failure: one line (the record has fewer kernels than the walk).
///
/// According to CUPTI's documentation, the base times of both traces use the same clock. CUPTI's times are not
/// adjusted; if launch calls fall outside the host's own times for them, the text of the source says by how much.
base::Result<void> merge_recording(const trace::Trace& record, std::string_view recorder, trace::Trace& walk);

}  // namespace warpwalk::cuda
