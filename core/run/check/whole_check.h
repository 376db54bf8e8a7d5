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

/// A run of an expression on a GPU, and what came out.
struct WholeRun {
  const ops::Expression& expression;
  const SeededInputs& inputs;
  std::optional<ops::DType> autocast;
  const std::atomic<bool>* cancel = nullptr;
  std::span<const std::uint8_t> result;                                             ///< row-major
  const std::vector<std::pair<std::string, std::vector<std::uint8_t>>>& gradients;  ///< by input
  bool exact = false;                                                               ///< every op gave the cpu's bits
};

/// Compares the whole result and the gradients with those that the cpu computes of the same expression alone, each op
/// on the cpu's own results, within the bounds that the rules of the ops (check_rule.h) add up to. Throws ops::OpError.
std::vector<OpCheck> check_whole(const WholeRun& run);

}  // namespace warpwalk::run
