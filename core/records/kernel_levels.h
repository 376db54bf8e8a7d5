#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/trace/records.h"

namespace warpwalk::records {

/// A kernel compiled at one level of optimisation, and the launch of assets/kernel_lab/KERNEL.json with this code.
struct CompiledLevel {
  std::string name;                  ///< an option of nvcc or ptxas: "-G", "-O0" to "-O3"
  trace::Module module;              ///< source, PTX and cubin
  double cycles_measured = 0;        ///< SM clocks on an H200
  double cycles_simulated = 0;       ///< SM clocks on the simulated H200
  double executed_instructions = 0;  ///< by warps; simulated
};

/// An example of the Kernel lab at several levels of optimisation.
struct LevelledKernel {
  std::string name;   ///< of its files: "matmul_tiled"
  std::string entry;  ///< the kernel's name in the module
  std::vector<CompiledLevel> levels;
};

/// The figures of a launch with the code of one level.
struct LevelFigures {
  std::string kernel, level;  ///< "matmul_tiled", "G" or "0" to "3"
  double cycles_measured = 0, cycles_simulated = 0, executed_instructions = 0;
};

/// Reads assets/kernel_lab/levels/cycles.csv, which tests/validate/levels.py writes. On failure, returns a one-line
/// message without the file's name.
base::Result<std::vector<LevelFigures>> parse_level_figures(std::string_view text);

/// Reads the kernels of `folder` (assets/kernel_lab) that have levels; none if there is no folder "levels" in it. On
/// failure, returns a one-line message and what could be read.
std::pair<std::vector<LevelledKernel>, std::optional<std::string>> load_kernel_levels(
    const std::filesystem::path& folder);

}  // namespace warpwalk::records
