#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::verbs {

/// `simulate ENTRY --lines`: the costs of a launch of Triton's kernel by the lines of Python. `entry`: a file of the
/// kernel's entry in Triton's cache, or its folder. The error is one line.
base::Result<std::string> python_lines_text(const std::filesystem::path& entry, const run::LoadedLaunch& loaded,
                                            const run::LaunchResult& result);

}  // namespace warpwalk::verbs
