// The code that PyTorch generates from an op's entry in native_functions.yaml, and the place of each part.
#include <fmt/format.h>

#include "core/story/labs/dispatch/dispatch.h"

namespace warpwalk::story {
namespace {

bool is_composite(const LabOp& op) { return op.dispatch.starts_with("CompositeImplicit"); }
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
  const auto text = [&](std::string_view key) {
    return lab.input.narration.text("lab/dispatch.tree", key, {{"op", std::string(op.name)}});
  };
  TablePicture table;
  table.columns = {
      {text("folder"), 1.1}, {text("file"), 1.2}, {text("holds"), 2.2, false, false, true}, {text("by"), 0.5}};
  const auto add = [&](std::string folder, std::string file, std::string_view key, bool generated = true) {
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(std::move(folder), Tone::quiet), word_cell(std::move(file)), word_cell(text(key)),
                 word_cell(text(generated ? "generated" : "written"), generated ? Tone::memory : Tone::work)};
    row.cells[1].code = true;
  };
  const std::string torch = "torch/csrc/autograd", aten = "aten/src/ATen";
  const bool manual = op.bindings.ends_with("manual");
  add(torch, fmt::format("{}.cpp", op.bindings), manual ? "manual" : "binding", !manual);
  add(aten, fmt::format("Functions.h, ops/{}.h", op.name), op.variants.empty() ? "function" : "method");
  add(aten, "Operators_N.cpp", "operators");
  add(aten + "/core/dispatch", "Dispatcher.h", "dispatcher", false);
  add("c10/core", "DispatchKey.h, TensorImpl.h", "keys", false);
  add(aten, "RegisterSchema.cpp", "schema");
  if (op.node.empty())
    add("tools/autograd", "derivatives.yaml", "no_node", false);
  else
    add(torch, "VariableType_N.cpp, Functions.cpp", "variable_type");
  if (op.schema.find("a!") != std::string_view::npos || op.name == "t")
    add(torch, "ADInplaceOrViewType_N.cpp", "in_place");
  if (op.name == "zeros") add(aten, "RegisterBackendSelect.cpp", "select");
  if (is_composite(op))
    add(aten, "RegisterCompositeImplicitAutograd_N.cpp", "register_composite");
  else if (all_backends(op))
    add(aten, "RegisterCompositeExplicitAutograd_N.cpp", "register_explicit");
  else
    add(aten, "RegisterCPU_N.cpp, RegisterCUDA_N.cpp", "register_backends");
  if (op.dispatch.starts_with("structured")) add(aten, "NativeMetaFunctions.h", "structured");
  const bool calls_others = is_composite(op) || all_backends(op);
  add(aten + "/native", calls_others ? "*.cpp" : "*.cpp, cuda/*.cu", calls_others ? "native_composite" : "native",
      false);
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
