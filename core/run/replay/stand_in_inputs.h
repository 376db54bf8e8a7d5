#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/catalogue/catalogue.h"
#include "core/trace/trace.h"

namespace warpwalk::run {

/// One input of an op as PyTorch's profiler records it.
struct RecordedInput {
  enum class Kind : std::uint8_t {
    none,     ///< not given
    tensor,   ///< type, sizes and strides; never the elements
    number,   ///< a number or a bool, "2", "0.5", "True"
    list,     ///< of numbers, "[0, 1]"
    tensors,  ///< a list of tensors
  };
  Kind kind = Kind::none;
  std::string type;   ///< as written: "float", "c10::Half", "Scalar"
  Operand operand;    ///< properties of a tensor
  std::string value;  ///< text of a number or a list, as written
};

/// The element type of a tensor by its name in the records, "c10::Half"; none if no stand-in can have it.
std::optional<ops::DType> tensor_dtype(std::string_view type);

/// Reads the inputs of an op. On failure, returns a one-line error: shapes were not recorded, or cannot be read.
base::Result<std::vector<RecordedInput>> recorded_inputs(const trace::Trace& trace, const trace::OpDetail& op);

/// The value of a number as written; "True" is 1. Returns nullopt if the input is not a number.
std::optional<double> number_of(const RecordedInput& input);
/// The integers of a list as written.
std::vector<double> numbers_of(const RecordedInput& input);

}  // namespace warpwalk::run
