#pragma once

#include <variant>

#include "core/run/expression/run_request.h"

namespace warpwalk::run {

/// Parses, checks, dispatches and computes; records the walk. `gpu`: for Target::cuda, where it is done twice: first
/// checked op by op, which waits for each and finds modules loaded and segments allocated the first time, then recorded
/// as it runs by itself.
std::variant<RunResult, RunError> run_expression(const RunRequest& request, GpuBackend* gpu = nullptr);

}  // namespace warpwalk::run
