#pragma once

// This folder evaluates what a Triton program does in one block: its addresses and masks, and the values of its tensors
// as the operations define them, with the memory that the block reads.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/evaluate/operation_result.h"
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
  SharedValue addresses;       ///< of global memory; null: not known
  SharedValue mask;            ///< null: all elements; with `addresses`, it is known
  SharedValue memory;          ///< shared memory; null: none, or not known
  SharedValue result;          ///< of a load or product, or what is stored; null: not known
  std::string_view element{};  ///< of global memory: the type of its elements
};

/// The kind of an operation by its name; false if it is none of them.
bool is_evaluated_op(const MlirOp& op, EvaluatedOp::Kind& kind);

/// A block of the grid to evaluate.
struct EvaluatedBlock {
  GridPlace place;
  std::vector<TensorValue> arguments;  ///< of the function
  /// Up to 8 bytes of global memory as before the launch, little-endian; false if they cannot be read.
  std::function<bool(std::uint64_t address, int bytes, std::uint64_t& value)> read;
  /// Gets each value of the function in the order in which it runs, but for what is within reductions and scans: of
  /// which operation, and which of its results. The operation is -1 for the function's arguments. May be empty.
  std::function<void(std::int32_t op, std::size_t result, const SharedValue& value)> value = {};
};

/// Evaluates a function in a block and reports its operations in order. Operations whose operands are not known, or in
/// a branch that is not known, are reported without them. `work` is the number of elements that may be computed, and is
/// reduced; if it does not suffice, the error says so.
base::Result<void> evaluate_block(const MlirModule& module, std::int32_t function, const EvaluatedBlock& block,
                                  std::uint64_t& work, const std::function<void(const EvaluatedOp&)>& report);

}  // namespace warpwalk::compiled
