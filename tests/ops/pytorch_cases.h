#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/ops/expression/expression.h"

namespace warpwalk::ops {

/// PyTorch's result of a run (record_ops.py).
struct PyTorchResult {
  bool refused = false;
  std::string error;  ///< if it was refused
  DType dtype = DType::f32;
  Sizes sizes;
  std::vector<double> values;
  std::vector<std::string> tape;  ///< names of autograd's nodes, sorted; empty: the result needs no gradient
  std::vector<std::optional<std::vector<double>>> gradients;  ///< of each input; empty: the result needs none
};

/// An expression of pytorch/OP.json in one type, and PyTorch's result.
struct PyTorchCase {
  std::string file;  ///< "tanh"
  std::string text;
  std::vector<Variable> inputs;  ///< in the order in which they are listed
  std::string values;            ///< "grid", "positive" or "special"
  std::optional<DType> autocast;
  double slack = 1;  ///< factor on the usual tolerance; above 1 if the expression multiplies rounding errors
  PyTorchResult want;

  /// For messages: the file, the expression, the types.
  std::string name() const;
  /// The contents of an input.
  std::vector<double> contents(std::size_t input) const;
  /// The same as elements.
  std::vector<std::uint8_t> bytes(std::size_t input) const;
};

/// All cases of the folder, in order of the files.
const std::vector<PyTorchCase>& pytorch_cases();

/// The ops that the cases call on the cpu, those within others included.
std::set<std::string> ops_of_pytorch_cases();

/// The upstream gradient from which record_ops.py runs backward.
std::vector<double> upstream_of(const Sizes& sizes);

}  // namespace warpwalk::ops
