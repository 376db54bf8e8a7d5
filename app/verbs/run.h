#pragma once

#include "app/verbs/common/run_options.h"
#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

/// Registers `warpwalk run`.
Verb add_run(CLI::App& app);

/// Computes an expression, checks it, reports on stdout and writes the walk. Returns the exit status: 0 if every
/// check passed, 1 if one failed, 2 for bad input. On SIGINT, SIGTERM or SIGHUP it ends and writes nothing.
int run(const RunOptions& options);

}  // namespace warpwalk::verbs
