#pragma once

// How the dispatcher took the calls of a walk, from what the trace has of them.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/facts/code/dispatch_keys.h"
#include "core/trace/trace.h"

namespace warpwalk::story {

/// The kind of an entry in the chain of ops, by its name.
enum class CallKind : unsigned char {
  op,        ///< goes through the dispatcher: aten::mm
  backward,  ///< a node of the backward pass, which calls ops: MmBackward0
  range,     ///< a named range of time, not a call
};
CallKind call_kind(std::string_view name);

/// What the trace has of a call of an op.
const trace::OpDetail& op_detail(const Trace& trace, SliceId op);
/// Whether autograd numbered the call, as it does with those of which gradients may be taken.
bool has_sequence_number(const Trace& trace, SliceId op);

/// A call of an op through the dispatcher, from the trace and the controls.
struct Call {
  SliceId op = no_slice;                            ///< none: no dispatch
  SliceId parent = no_slice;                        ///< the op that called it
  KeyQuestion recorded;                             ///< as derived from the records
  KeyQuestion asked;                                ///< with the controls applied
  bool set = false;                                 ///< a control was set
  const trace::DispatchRecord* dispatch = nullptr;  ///< the recorded steps; null if there are none
  std::string dtype;                                ///< of the first tensor, in PyTorch's words; empty: not recorded
  std::string asked_dtype;
  bool layout_recorded = false;
};
/// The call of walk.ops[index], which is an op, without controls.
Call call_at(const Trace& trace, const Walk& walk, std::size_t index);
/// The same of the innermost op of the walk that goes through the dispatcher: it launches the kernel. None: no
/// dispatch.
std::optional<Call> dispatched_call(const Trace& trace, const Walk& walk);

/// The Python function that computes the op, if one was registered for it: the frame directly inside the op. Empty if
/// there is none, or if Python frames are not recorded.
std::string python_function_of(const Call& call, const Trace& trace);
/// The name of the source file of the kernel that the op launches, if the trace has its text. The program, and not
/// PyTorch, then provides the op's backend function: PyTorch's kernels and the libraries' come without their source.
std::string_view own_kernel_file(const Call& call, const Trace& trace);
/// Whether the program has registered a function for the op, in Python or with a kernel of its own.
bool is_registered_by_program(const Call& call, const Trace& trace);

/// The rows of the call's table: recorded if they are and no control is set, else derived.
std::vector<KeyRow> rows_of(const Call& call, const Trace& trace);

/// The key at which the op ends; two keys if the trace does not say which of them.
std::string end_of(const std::vector<KeyRow>& rows);

/// The numbers of each tensor's shape in "Input Dims"; lists of tensors and scalars are empty.
std::vector<std::vector<std::int64_t>> shapes_in(std::string_view input_dims);
/// The type names in "Input type".
std::vector<std::string> types_in(std::string_view input_types);
/// "c10::BFloat16" -> "bfloat16"; unknown ones are returned as they are.
std::string dtype_named(std::string_view type);

}  // namespace warpwalk::story
