#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/replay/history.h"
#include "core/run/replay/stand_in_inputs.h"

namespace warpwalk::run {

/// The catalogue call that replaces a PyTorch op.
struct CatalogueCall {
  std::string op;  ///< "aten::add.Tensor"
  std::vector<Operand> inputs;
  std::vector<double> numbers;
  ReplacedOp::Difference difference = ReplacedOp::Difference::none;
};

/// Maps an op of the profiler to a catalogue call. The profiler omits the overload ("aten::add"), and some ops appear
/// under another name: relu calls clamp_min with 0. On failure, returns a one-line error: warpwalk does not have the
/// op, or does not support these inputs.
base::Result<CatalogueCall> catalogue_call(std::string_view op, const std::vector<RecordedInput>& inputs);

}  // namespace warpwalk::run
