#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/compiled/layout/linear_layout.h"
#include "core/compiled/mlir/mlir.h"

namespace warpwalk::compiled {

/// A tensor of a TTGIR, or a buffer in shared memory, with its layout.
struct TensorLayout {
  enum class Role : std::uint8_t {
    result,     ///< of the operation
    addresses,  ///< pointers that it accesses memory with
    operand,    ///< values that it takes
    memory      ///< shared memory that it reads, writes or allocates
  };
  std::int32_t op = -1;  ///< index in MlirModule::ops
  std::string op_name;   ///< "tt.load"
  std::string file;      ///< of the program's line that it comes from, past inlined helpers; empty: not known
  int line = 0;          ///< likewise
  int ttgir_line = 0;
  Role role = Role::result;
  std::string value;  ///< "%a_31"
  std::string type;   ///< as written, with the aliases replaced
  std::vector<std::int64_t> shape;
  std::string element;   ///< "f16"
  std::string encoding;  ///< the attribute, with its aliases replaced
  std::optional<LinearLayout> layout;
  std::string problem;  ///< without a layout: why, in one line
};

/// The tensors that the operations of a function access memory with, load, store, multiply, or convert from one layout
/// to another, and the shared memory that they use: each value once for each operation.
std::vector<TensorLayout> module_layouts(const MlirModule& module, std::int32_t function);

/// The operations in the blocks of an operation, in the order of the text.
std::vector<std::int32_t> ops_within(const MlirModule& module, std::int32_t op);

/// The function of a kernel; nullopt if the module does not have it.
std::optional<std::int32_t> kernel_function(const MlirModule& module, std::string_view kernel);

}  // namespace warpwalk::compiled
