#pragma once

#include "app/verbs/record.h"

namespace warpwalk::verbs {

/// Runs a program armed (record --armed): it is not profiled, but writes down its last calls of CUDA, and CUDA writes a
/// core dump if a kernel fails, or if `warpwalk dump` asks for it. `options.out`: the folder for them; empty: crash, or
/// crash-2 ... if that exists. Returns the exit status: 0 the program ended well, and nothing is left; 1 it failed, or
/// was asked for a dump; 2 it could not be started.
int record_armed(const RecordOptions& options);

/// Registers `warpwalk dump`.
Verb add_dump(CLI::App& app);

}  // namespace warpwalk::verbs
