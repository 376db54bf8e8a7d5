#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/ops/expression/expression.h"

namespace warpwalk::run {

/// The inputs of an expression.
struct SeededInputs {
  std::vector<ops::Variable> inputs;  ///< names, shapes and types; each is filled with FillRandom of its own seed
  /// The elements of inputs that are not random, by name: little-endian, row-major, as many as the shape says.
  std::map<std::string, std::vector<std::uint8_t>, std::less<>> given;
  std::uint64_t seed = 1;  ///< seed of the first input; the next one uses seed + 1, given or not
  bool gradients = false;  ///< run backward from the sum of the result to every floating-point input
};

/// The bytes of an input's elements.
std::uint64_t input_bytes(const ops::Variable& input);

/// A new tensor for an input name, filled with its given elements, or with FillRandom of its seed. It requires a
/// gradient if gradients are requested and its type supports them.
struct RunInput {
  ops::Tensor tensor;
  std::uint64_t seed = 0;
  const std::vector<std::uint8_t>* given = nullptr;  ///< in SeededInputs::given; null: the elements are the seed's
};
RunInput make_input(const SeededInputs& inputs, ops::Dispatcher& dispatcher, ops::DeviceKind device,
                    const std::string& name);

/// Runs backward from the sum of the result.
void backward_from_sum(ops::Dispatcher& dispatcher, const ops::Tensor& result);

}  // namespace warpwalk::run
