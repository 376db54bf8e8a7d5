#pragma once

#include <span>
#include <string>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::run {

/// The arguments of an op as PyTorch's profiler writes them with record_shapes: four JSON arrays as text, with one
/// element per argument.
struct OpInputs {
  std::string dims;      ///< [[256, 128], []]
  std::string strides;   ///< [[128, 1], []]
  std::string types;     ///< ["float", "Scalar"]: C++ names of the element types
  std::string concrete;  ///< ["", "1"]: values of non-tensor arguments, as Python prints them
};
OpInputs inputs_of(std::span<const ops::Argument> arguments);

}  // namespace warpwalk::run
