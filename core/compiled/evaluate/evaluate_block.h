#pragma once

// This folder evaluates what a Triton program does in one block, as far as its addresses need it: program ids, ranges,
// whole numbers, pointers, masks, loops with known bounds, and matrix products of values that it loads.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/evaluate/tensor_value.h"
#include "core/compiled/mlir/mlir.h"

namespace warpwalk::compiled {

/// An operation that accesses memory or multiplies matrices, as it runs in a block.
struct EvaluatedOp {
  enum class Kind : std::uint8_t {
    load,         ///< from global memory to registers
    store,        ///< from registers to global memory
    atomic,       ///< on global memory
    copy,         ///< from global to shared memory
    local_load,   ///< from shared memory to registers
    local_store,  ///< from registers to shared memory
    product,      ///< of matrices
  };
  std::int32_t op = -1;  ///< index in MlirModule::ops
  Kind kind = Kind::load;
  const TensorValue* addresses = nullptr;  ///< of global memory; null: not known
  const TensorValue* mask = nullptr;       ///< null: all elements; with `addresses`, it is known
  const TensorValue* memory = nullptr;     ///< shared memory; null: none, or not known
  const TensorValue* result = nullptr;     ///< of a product; null: not known
};

/// The kind of an operation by its name; false if it is none of them.
bool is_evaluated_op(const MlirOp& op, EvaluatedOp::Kind& kind);

/// A block of the grid to evaluate.
struct EvaluatedBlock {
  std::array<std::int64_t, 3> program{}, programs{1, 1, 1};  ///< its index, and the grid
  std::vector<TensorValue> arguments;                        ///< of the function
  /// Up to 8 bytes of global memory as before the launch, little-endian; false if they cannot be read.
  std::function<bool(std::uint64_t address, int bytes, std::uint64_t& value)> read;
};

/// Evaluates a function in a block and reports its operations in order. Operations whose operands are not known, or in
/// a branch that is not known, are reported without them. `work` is the number of elements that may be computed, and is
/// reduced; if it does not suffice, the error says so.
base::Result<void> evaluate_block(const MlirModule& module, std::int32_t function, const EvaluatedBlock& block,
                                  std::uint64_t& work, const std::function<void(const EvaluatedOp&)>& report);

}  // namespace warpwalk::compiled
