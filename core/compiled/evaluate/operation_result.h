#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/compiled/evaluate/tensor_value.h"
#include "core/compiled/mlir/mlir.h"

namespace warpwalk::compiled {

using SharedValue = std::shared_ptr<const TensorValue>;

/// The block of the grid that an operation runs in, and the grid.
struct GridPlace {
  std::array<std::int64_t, 3> program{}, programs{1, 1, 1};
};

/// What stands behind the name of an operation: "slt, %a, %b : ..." of a comparison.
std::string_view behind_mlir_name(const MlirOp& op);

/// The value of an operation without effects and regions: constants, arithmetic, casts, shapes. `element`: the type of
/// its result's elements; `count`: how many. A single operand counts for all elements. Not known if the operation is
/// none of these, or if an operand is not known.
TensorValue operation_result(const MlirOp& op, std::span<const SharedValue> operands, std::string_view element,
                             std::vector<std::int64_t> shape, std::size_t count, const GridPlace& place);

/// A product of matrices added to `sum`, in double precision and then rounded to `element`. With `tf32`, its operands
/// are cut to the precision of TF32.
TensorValue matrix_product(const TensorValue& a, const TensorValue& b, const TensorValue& sum, std::string_view element,
                           bool tf32);

}  // namespace warpwalk::compiled
