#pragma once

#include "core/run/expression/host_model.h"
#include "core/run/expression/run_request.h"
#include "core/run/expression/walk_recorder.h"

namespace warpwalk::run {

/// Where the walk of a request runs, as its trace describes it.
WalkPlace place_of(const RunRequest& request);
/// The time of the walk: sim's is the host model's of its device (which check_place has accepted).
WalkClock clock_of(const RunRequest& request);

/// What a trace says of the run as a whole: expression, sources, the GPU, metadata.
void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace);

}  // namespace warpwalk::run
