#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/ops/expression/expression.h"

namespace warpwalk::run {

/// The inputs of an expression.
struct SeededInputs {
  std::vector<ops::Variable> inputs;  ///< names, shapes and types; contents are FillRandom of a seed for each
  std::uint64_t seed = 1;             ///< of the first input; the next has seed + 1
  bool gradients = false;             ///< go back from the sum of the result to every floating-point input
};

/// A name's tensor: new, with FillRandom of its seed; it requires a gradient if gradients are wanted and its type has
/// them.
struct RunInput {
  ops::Tensor tensor;
  std::uint64_t seed = 0;
};
RunInput make_input(const SeededInputs& inputs, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name);

/// Goes back from the sum of the result.
void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result);

}  // namespace warpwalk::run
