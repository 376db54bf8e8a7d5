#pragma once

#include "app/verbs/simulate.h"

namespace warpwalk::verbs {

/// `simulate A.cu B.cu --compare`: runs the launches of both programs, or of both with `launch_file`, and compares their
/// figures, with `lines` also the costs of their lines. Returns the exit status: 1 if a launch of either is not good.
int simulate_versions(const SimulateOptions& options);

}  // namespace warpwalk::verbs
