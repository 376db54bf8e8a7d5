#pragma once

#include <span>
#include <string>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::run {

/// The arguments of an op as PyTorch's profiler writes them with record_shapes: four JSON arrays as text, with an
/// element for each argument.
struct OpInputs {
  std::string dims;      ///< [[256, 128], []]
  std::string strides;   ///< [[128, 1], []]
  std::string types;     ///< ["float", "Scalar"]: C++'s names of a tensor's elements
  std::string concrete;  ///< ["", "1"]: the value of what is no tensor, as Python prints it
};
OpInputs inputs_of(std::span<const ops::Argument> arguments);

}  // namespace warpwalk::run
