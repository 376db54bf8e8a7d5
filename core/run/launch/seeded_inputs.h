#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/expression/expression.h"

namespace warpwalk::run {

/// The inputs of an expression.
struct SeededInputs {
  std::vector<ops::Variable> inputs;  ///< names, shapes and types; each is filled with FillRandom of its own seed
  std::uint64_t seed = 1;             ///< seed of the first input; the next one uses seed + 1
  bool gradients = false;             ///< run backward from the sum of the result to every floating-point input
};

/// A new tensor for an input name, filled with FillRandom of its seed. It requires a gradient if gradients are
/// requested and its type supports them.
struct RunInput {
  ops::Tensor tensor;
  std::uint64_t seed = 0;
};
RunInput make_input(const SeededInputs& inputs, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name);

/// Runs backward from the sum of the result.
void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result);

}  // namespace warpwalk::run
