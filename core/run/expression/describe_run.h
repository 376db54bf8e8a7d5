#pragma once

#include "core/run/expression/host_model.h"
#include "core/run/expression/run_request.h"
#include "core/run/expression/walk_recorder.h"

namespace warpwalk::run {

/// The device and process on which a request runs, as recorded in its trace.
WalkPlace place_of(const RunRequest& request);
/// The clock of the run: for sim, the host model of its device (which check_place has validated).
WalkClock clock_of(const RunRequest& request);

/// Adds the trace's data about the whole run: expression, sources, the GPU, metadata.
void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace);

}  // namespace warpwalk::run
