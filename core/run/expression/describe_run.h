#pragma once

#include <string>

#include "core/run/expression/host_model.h"
#include "core/run/expression/run_expression.h"
#include "core/run/expression/walk_recorder.h"
#include "core/trace/records.h"

namespace warpwalk::run {

/// The device and process on which a request runs, as recorded in its trace.
WalkPlace place_of(const RunRequest& request);
/// The clock of the run: for sim, the host model of its device (which check_place has validated).
WalkClock clock_of(const RunRequest& request);

/// Adds the trace's data about the whole run: expression, sources, the GPU, metadata.
void describe(const RunRequest& request, const ops::Variable& result, trace::Trace& trace);

/// Fills in the texts of a real GPU's modules: PTX, source and the shipped machine code from the program's folders,
/// and the text of the machine code of the launched entries if ptxas and nvdisasm are installed. Throws ops::OpError if
/// `request.cancel` was set.
void complete_modules(const RunRequest& request, const std::string& compute_capability, trace::Records& records);

}  // namespace warpwalk::run
