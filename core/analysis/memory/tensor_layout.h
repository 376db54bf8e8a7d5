#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// A tensor's layout in its storage, from its strides.
enum class Layout : std::uint8_t {
  unknown,     ///< no strides recorded
  contiguous,  ///< the last index runs fastest, without gaps
  permuted,    ///< without gaps, but another index runs fastest: a transposed view
  repeated,    ///< a stride of 0: elements are read more than once
  gaps,        ///< elements of the storage are left out
};

/// A tensor of an op.
struct Tensor {
  bool output = false;     ///< the op's result; its shape is derived
  std::size_t number = 0;  ///< the argument's number, from 1
  std::vector<std::int64_t> sizes;
  std::optional<std::vector<std::int64_t>> strides;  ///< in elements
  std::string type;                                  ///< as the profiler names it: "float"
  std::int64_t element = 0;                          ///< bytes of one element; 0: not known
  std::optional<std::uint64_t> address;              ///< of the first element

  std::int64_t count() const;
  /// count × element.
  std::int64_t bytes() const { return count() * element; }
  Layout layout() const;
  /// Bytes from the first to the last element that the strides reach, both included; 0 if unknown or empty.
  std::int64_t reach() const;
};

/// Bytes per element of a type in the profiler's spelling ("float", "c10::Half", "long int"); 0 for any other text.
std::int64_t element_bytes(std::string_view type);

/// "1,024 × 512".
std::string sizes_text(const std::vector<std::int64_t>& sizes);
/// "(512, 1)", as Python writes it.
std::string strides_text(const std::vector<std::int64_t>& strides);

/// The tensors among an op's recorded inputs, at most max_tensors, without scalars and lists of numbers.
std::vector<Tensor> tensors_of(const Trace& trace, SliceId op);
constexpr std::size_t max_tensors = 6;

/// The result of an op for these inputs, by its shape rule: for matrix products and element-wise ops, none for others.
std::optional<Tensor> output_of(std::string_view op, const std::vector<Tensor>& inputs);

}  // namespace warpwalk::analysis
