#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/expression/expression.h"
#include "core/run/check/op_check.h"
#include "core/run/launch/seeded_inputs.h"

namespace warpwalk::run {

/// A run of an expression on a GPU and its results.
struct WholeRun {
  const ops::Expression& expression;
  const SeededInputs& inputs;
  std::optional<ops::DType> autocast;
  const std::atomic<bool>* cancel = nullptr;
  std::span<const std::uint8_t> result;                                             ///< row-major
  const std::vector<std::pair<std::string, std::vector<std::uint8_t>>>& gradients;  ///< by input
  bool exact = false;                                                               ///< every op gave the same bits
};

/// Compares the result and the gradients with a cpu run of the same expression, in which each op uses the cpu's own
/// intermediate results. The tolerance is the accumulated bound of the ops' rules (check_rule.h). Throws ops::OpError.
std::vector<OpCheck> check_whole(const WholeRun& run);

}  // namespace warpwalk::run
