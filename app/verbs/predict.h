#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct PredictOptions {
  std::filesystem::path file;        ///< -: stdin
  std::vector<std::string> changes;  ///< as analysis::parse_change reads them
  std::filesystem::path json;        ///< empty: not written; -: stdout
  std::filesystem::path out;         ///< the changed trace; empty: not written
  std::uint64_t memory_cap_bytes = 0;
};

/// Registers `warpwalk predict`.
Verb add_predict(CLI::App& app);

/// Predicts the step of a trace with changes. Returns the exit status: 0 also if it cannot tell, 2 for bad input.
int predict_trace(const PredictOptions& options);

}  // namespace warpwalk::verbs
