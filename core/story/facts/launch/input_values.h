#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/ops/tensor/dtype.h"
#include "core/ops/tensor/geometry.h"
#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The elements of an input of the followed op. PyTorch's profiler never records elements; they are known if warpwalk
/// filled the tensor or recorded the launch with its memory; otherwise those that a simulation of the kernel starts
/// with are shown.
struct InputValues {
  ops::DType dtype = ops::DType::f32;
  ops::Geometry geometry;
  std::uint64_t seed = 0;  ///< of run::FillRandom
  bool recorded = false;   ///< the trace records this seed; else it is the simulation's
  /// The elements themselves, as the trace records them before the launch; empty: those of the seed. A view of the
  /// trace.
  std::span<const std::uint8_t> bytes = {};

  /// The element of a matrix, or with row 0 of a vector, or with row and column 0 of a scalar; in the first matrix of a
  /// tensor of more dimensions. Its type is one of floating-point numbers.
  double at(std::int64_t row, std::int64_t column) const;
  /// The number of that element in the storage.
  std::int64_t index_of(std::int64_t row, std::int64_t column) const;
};

/// The inputs of the op that launched the followed kernel, which have one or two dimensions and a floating-point type.
/// Empty if the shapes of the inputs are not recorded, if warpwalk has no kernel for this op, or if an earlier kernel
/// of the trace computed them.
std::vector<InputValues> input_values(const Trace& trace, const Walk& walk);

/// Whether the trace has the elements themselves of at least one input, and not only its seed.
bool any_recorded_element(std::span<const InputValues> values);

/// "0.53", "-1.00": an element for a matrix on the stage.
std::string element_text(double value);
/// "48", "-0.53": a number in as few characters as it needs, at most two places behind the point.
std::string short_number(double value);

}  // namespace warpwalk::story
