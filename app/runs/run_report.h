#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/run/expression/run_expression.h"

namespace warpwalk::runs {

/// The parts of the report of `warpwalk run --json` that the walk does not have.
struct RunReport {
  ops::Variable result;            ///< without a name
  std::vector<std::string> first;  ///< its first elements, row-major
  std::vector<run::OpCheck> checks;
};

/// Returns nullopt if the file is missing or is not such a report.
std::optional<RunReport> read_run_report(const std::filesystem::path& file);

}  // namespace warpwalk::runs
