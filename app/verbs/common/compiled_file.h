#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/run/kernel_lab/compiled_launch.h"

namespace CLI {
class App;
}

namespace warpwalk::verbs {

/// Writes the launch file of a compiled kernel into a folder, and returns its path.
base::Result<std::filesystem::path> write_compiled_launch(const std::filesystem::path& kernel,
                                                          const run::GivenLaunch& given,
                                                          const std::filesystem::path& folder);

/// Adds the options that say what files of a compiler do not: --grid, --block, --arg, --kernel. `given` outlives them.
void add_given_launch(CLI::App& verb, run::GivenLaunch& given);

/// The GPU that the launch file names; empty without one.
std::string gpu_of_launch_file(const std::filesystem::path& file);

}  // namespace warpwalk::verbs
