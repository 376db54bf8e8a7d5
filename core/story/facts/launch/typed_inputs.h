#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/story/facts/launch/input_values.h"

namespace warpwalk::story {

/// A tensor that a typed line names.
struct TypedInput {
  std::string name;
  bool known = false;  ///< its elements; else `values` has only its sizes
  InputValues values;
  std::size_t allocation = trace::no_record;  ///< row of Records::allocations
};

/// What warpwalk recorded of a line that a person typed: its tensors, and the sizes of its result.
struct TypedRun {
  std::vector<TypedInput> inputs;  ///< in the order of their first use in the line
  ops::Sizes result;
};

/// Nullopt if the trace records no typed line, or not its tensors.
std::optional<TypedRun> typed_run(const Trace& trace);

/// "0.53", "7": an element of an input whose elements are known. A tensor of more than two dimensions shows its first
/// matrix, a vector its row 0, a scalar its element [0, 0].
std::string element_text(const InputValues& values, std::int64_t row, std::int64_t column);

}  // namespace warpwalk::story
