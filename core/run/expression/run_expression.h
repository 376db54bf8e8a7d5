#pragma once

// This folder runs an expression on a backend and records it as a walk (the verb `run`). core/ops/expression parses it.

#include <variant>

#include "core/run/expression/run_request.h"

namespace warpwalk::run {

/// Parses, checks, dispatches and computes an expression, and records the run. `gpu` is required for Target::cuda,
/// which runs the expression twice. The first run checks each op, waits for each, loads the modules and allocates the
/// segments. The second run is recorded at full speed.
std::variant<RunResult, RunError> run_expression(const RunRequest& request, GpuBackend* gpu = nullptr);

}  // namespace warpwalk::run
