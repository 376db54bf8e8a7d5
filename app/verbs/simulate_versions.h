#pragma once

#include <filesystem>

#include "app/verbs/simulate.h"
#include "core/base/result.h"

namespace warpwalk::verbs {

/// Whether the file is CUDA C++ (.cu).
bool is_cuda_source(const std::filesystem::path& file);

/// Compiles a CUDA program with clang and runs it on the simulated GPU, whose first 64 launches it writes to `walk` with
/// their memory. What the program prints goes to stderr. On failure: one line, or an empty one if it was printed.
base::Result<void> record_program(const std::filesystem::path& file, const SimulateOptions& options,
                                  const std::filesystem::path& walk);

/// `simulate A.cu B.cu --compare`: runs the launches of both programs, or of both with `launch_file`, and compares their
/// figures, with `lines` also the costs of their lines. Returns the exit status: 1 if a launch of either is not good.
int simulate_versions(const SimulateOptions& options);

}  // namespace warpwalk::verbs
