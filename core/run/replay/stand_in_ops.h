#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run/replay/stand_in_inputs.h"

namespace warpwalk::run {

/// What the catalogue is asked for in place of an op of PyTorch's.
struct CatalogueCall {
  std::string op;  ///< "aten::add.Tensor"
  std::vector<Operand> inputs;
  std::vector<double> numbers;
  std::string note;  ///< how it differs from what ran, in words that follow the op's name; empty: not
};

/// The profiler writes an op's name without its overload ("aten::add"), and some ops are others by another name:
/// clamp_min with 0 is what relu calls. The error is one line: the op is not among warpwalk's, or not with these
/// inputs.
std::variant<CatalogueCall, std::string> catalogue_call(std::string_view op, const std::vector<RecordedInput>& inputs);

}  // namespace warpwalk::run
