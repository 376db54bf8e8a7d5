#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/ops/tensor/dtype.h"

namespace warpwalk::story {

/// How a row of PyTorch's dispatch table is filled at one key.
enum class TableEntry : char {
  kernel = 'k',        ///< a function of its own for this backend
  composite = 'c',     ///< CompositeImplicitAutograd: calls other ops, also in place of autograd's function
  all_backends = 'e',  ///< CompositeExplicitAutograd: one function for all backends, below autograd
  wrapper = 'r',       ///< does its part and calls on: autograd, autocast, ADInplaceOrView, BackendSelect
  fallthrough = 'f',   ///< passed over without a call
  missing = '-',       ///< an error
};

/// An op that the lab offers, with what PyTorch 2.11 has for it.
struct LabOp {
  std::string_view name;      ///< "relu"
  std::string_view op;        ///< "aten::relu", here and in PyTorch
  std::string_view binding;   ///< the generated function that Python calls
  std::string_view bindings;  ///< the generated file that has it
  std::string_view schema;    ///< "func" in native_functions.yaml
  std::string_view variants;  ///< "variants" there; empty: function only
  std::string_view dispatch;  ///< "dispatch" there
  std::string_view node;      ///< of the tape; empty: none of its own
  /// The row of the dispatch table, as torch._C._dispatch_dump_table prints it, for CPU, CUDA, SparseCPU, SparseCUDA,
  /// SparseCsrCPU, SparseCsrCUDA, BackendSelect, ADInplaceOrView, AutogradCPU, AutogradCUDA, AutocastCPU, AutocastCUDA.
  std::string_view row;
  std::string_view type_switch;           ///< the name that the CUDA function's switch over the type gives in messages
  bool integers = false;                  ///< the switch has cases for integers too
  std::array<std::string_view, 4> calls;  ///< in Python; the first one is right
  std::span<const std::string_view> signatures;
};

std::span<const LabOp> lab_ops();

/// PyTorch's CUDA function of the op has no case for this type.
bool refused_on_gpu(const LabOp& op, ops::DType dtype);

inline TableEntry entry_at(const LabOp& op, std::size_t key) { return static_cast<TableEntry>(op.row[key]); }

}  // namespace warpwalk::story
