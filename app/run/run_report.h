#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/run/expression/run_expression.h"

namespace warpwalk::runs {

/// What `warpwalk run --json` tells besides the walk.
struct RunReport {
  ops::Variable result;  ///< without a name
  std::vector<run::OpCheck> checks;
};

/// None where the file is not there or is no such report.
std::optional<RunReport> read_run_report(const std::filesystem::path& file);

}  // namespace warpwalk::runs
