// What PyTorch generates from an op's entry in native_functions.yaml, and where each part lies.
#include "core/story/labs/dispatch/picture.h"

namespace warpwalk::story {
namespace {

bool composite(const LabOp& op) { return op.dispatch.starts_with("CompositeImplicit"); }
bool all_backends(const LabOp& op) { return op.dispatch.starts_with("CompositeExplicit"); }

}  // namespace

Panel entry_panel(const DispatchLab& lab) {
  const LabOp& op = *lab.op;
  std::vector<std::string> lines = {fmt::format("- func: {}", op.schema)};
  if (!op.variants.empty()) lines.push_back(fmt::format("  variants: {}", op.variants));
  if (op.dispatch.starts_with("structured"))
    lines.push_back(fmt::format("  {}", op.dispatch));
  else {
    lines.emplace_back("  dispatch:");
    lines.push_back(fmt::format("    {}", op.dispatch));
  }
  CodePicture code;
  code.columns = {text_column("aten/src/ATen/native/native_functions.yaml", std::move(lines), 1)};
  return {"", 1, std::move(code)};
}

Panel tree_panel(const DispatchLab& lab) {
  const LabOp& op = *lab.op;
  CardPicture cards;
  const auto column = [&](std::string head, Tone tone) -> CardColumn& {
    CardColumn& one = cards.columns.emplace_back();
    one.head = std::move(head);
    one.tone = tone;
    return one;
  };
  const auto text = [&](std::string_view key) {
    return lab.input.narration.text("lab/dispatch.tree", key, {{"op", std::string(op.name)}});
  };
  const auto add = [&](CardColumn& to, std::string file, std::string_view key, bool generated) {
    to.cards.push_back({std::move(file), text(key), generated ? text("generated") : text("written"), {}});
  };
  CardColumn& python = column("torch/csrc/autograd/generated", Tone::host);
  add(python, fmt::format("{}.cpp", op.bindings), op.bindings.ends_with("manual") ? "manual" : "binding",
      !op.bindings.ends_with("manual"));
  if (!op.node.empty()) {
    add(python, "VariableType_N.cpp", "variable_type", true);
    add(python, fmt::format("Functions.cpp: {}", op.node), "node", true);
  } else {
    add(python, "derivatives.yaml", "no_node", false);
  }
  if (op.schema.find("a!") != std::string_view::npos || op.name == "t")
    add(python, "ADInplaceOrViewType_N.cpp", "in_place", true);
  CardColumn& front = column("aten/src/ATen (build)", Tone::memory);
  add(front, fmt::format("ops/{}.h, Functions.h", op.name), "function", true);
  if (op.variants.find("method") != std::string_view::npos) add(front, "core/TensorBody.h", "method", true);
  add(front, "Operators_N.cpp", "operators", true);
  add(front, "RegisterSchema.cpp", "schema", true);
  CardColumn& back = column("aten/src/ATen", Tone::work);
  if (composite(op))
    add(back, "RegisterCompositeImplicitAutograd.cpp", "register_composite", true);
  else if (all_backends(op))
    add(back, "RegisterCompositeExplicitAutograd.cpp", "register_explicit", true);
  else
    add(back, "RegisterCPU.cpp, RegisterCUDA.cpp", "register_backends", true);
  if (op.dispatch.starts_with("structured")) add(back, "NativeMetaFunctions.h", "structured", true);
  if (op.name == "zeros") add(back, "RegisterBackendSelect.cpp", "select", true);
  add(back, composite(op) || all_backends(op) ? "native/*.cpp" : "native/*.cpp, native/cuda/*.cu",
      composite(op) || all_backends(op) ? "native_composite" : "native", false);
  CardColumn& base = column("c10, aten/src/ATen/core", Tone::shared);
  add(base, "c10/core/DispatchKey.h", "keys", false);
  add(base, "c10/core/TensorImpl.h", "tensor", false);
  add(base, "ATen/core/dispatch/Dispatcher.h", "dispatcher", false);
  return {"", 1, std::move(cards)};
}

}  // namespace warpwalk::story
