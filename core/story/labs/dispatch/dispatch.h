#pragma once

// Common to all parts of the lab "dispatch": the settings, the data derived from them, and the pictures.
#include "core/story/labs/dispatch/arguments.h"
#include "core/story/labs/dispatch/call_keys.h"
#include "core/story/labs/dispatch/lab_ops.h"
#include "core/story/labs/dispatch/traced_call.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

struct DispatchLab {
  static constexpr std::string_view name = "lab/dispatch";
  static constexpr ops::DType dtypes[] = {ops::DType::f16, ops::DType::bf16, ops::DType::f32,
                                          ops::DType::f64, ops::DType::i32,  ops::DType::i64};
  static constexpr std::string_view modes[] = {"usual", "no_grad", "inference", "autocast", "vmap", "grad", "python"};

  const SceneInput& input;
  ControlSet controls{input, name};
  const LabOp* op = nullptr;
  std::size_t form = 0;  ///< of LabOp::calls
  CallSetting setting;
  int bit = 0;  ///< that was pointed at

  std::vector<CallSignature> signatures;
  PythonCall python;
  Parsed parsed;
  CallKeys keys;
  TracedCall traced;

  explicit DispatchLab(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text("lab/dispatch.word", key, values);
  }
  std::string call_text() const { return std::string(op->calls[form]); }
  /// Whether warpwalk's dispatcher lacks the key of this mode.
  bool only_in_pytorch() const {
    return setting.mode == CallMode::vmap || setting.mode == CallMode::grad || setting.mode == CallMode::python;
  }
  /// The innermost op that chose an instance for an element type, and the instance; empty if none did.
  static std::string instance_in(const TracedCall& call);
};

/// The generated binding, at the line that is reached. `shown`: 0 to 1.
Panel binding_panel(const DispatchLab& lab, double shown);
/// Each signature with its verdict, and the arguments as C++ gets them.
Panel signatures_panel(const DispatchLab& lab);
Panel values_panel(const DispatchLab& lab);
/// The 64 bits of the call's key set.
Panel bits_panel(const DispatchLab& lab);
/// The sources of the set, bit by bit. `shown`: 0 to 1.
Panel sources_panel(const DispatchLab& lab, double shown);
/// The dispatch table of all ops of the lab, as warpwalk's dispatcher has it.
Panel table_panel(const DispatchLab& lab);
/// The row of the op at the keys of the call: here and in PyTorch.
Panel row_panel(const DispatchLab& lab);
/// The call of the dispatcher here, as nested bars. `shown`: 0 to 1.
Panel frames_panel(const DispatchLab& lab, double shown);
Panel hops_panel(const DispatchLab& lab);
/// The switch over the element type, and what each type gets here.
Panel switch_panel(const DispatchLab& lab);
Panel types_panel(const DispatchLab& lab);
Panel launches_panel(const DispatchLab& lab);
/// The places of the steps in PyTorch's source tree.
Panel entry_panel(const DispatchLab& lab);
Panel tree_panel(const DispatchLab& lab);

/// The entry of warpwalk's dispatcher for the op at a key of the set, in the terms of PyTorch's table.
TableEntry own_entry(const ops::Dispatcher& dispatcher, const ops::Operator& op, ops::Key key);

}  // namespace warpwalk::story
