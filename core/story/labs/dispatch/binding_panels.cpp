// The Python binding: what torchgen generates for an op, and how arguments are matched with signatures.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/story/labs/dispatch/dispatch.h"
namespace warpwalk::story {
namespace {

std::string_view cpp_type(std::string_view python) {
  if (python == "Tensor") return "at::Tensor";
  if (python == "Number") return "at::Scalar";
  if (python == "bool") return "bool";
  if (python == "tuple of ints") return "c10::IntArrayRef";
  if (python == "torch.dtype") return "c10::ScalarType";
  return "–";
}

/// The argument that a parameter takes; null if it keeps its default.
const PythonValue* value_of(const CallSignature& signature, std::size_t p, const PythonCall& call) {
  for (const PythonValue& value : call.values)
    if (value.keyword == signature.parameters[p].name) return &value;
  const bool by_position = p < call.values.size() && call.values[p].keyword.empty();
  return by_position && !signature.parameters[p].keyword_only ? &call.values[p] : nullptr;
}

}  // namespace

Panel binding_panel(const DispatchLab& lab, double shown) {
  const std::size_t taken = lab.parsed.taken.value_or(0);
  const CallSignature& signature = lab.signatures[taken];
  std::vector<std::string> lines = {
      fmt::format("PyObject* {}(PyObject* self, PyObject* args, PyObject* kwargs) {{", lab.op->binding),
      "  static PythonArgParser parser({"};
  for (const std::string_view text : lab.op->signatures) lines.push_back(fmt::format("    \"{}\",", text));
  lines.back() += "});";
  lines.emplace_back("  auto r = parser.parse(args, kwargs, parsed);");
  const std::size_t parse_line = lines.size();
  std::vector<std::string> passed;
  for (std::size_t p = 0; p < signature.parameters.size(); ++p)
    if (value_of(signature, p, lab.python) != nullptr) passed.push_back(signature.parameters[p].name);
  for (std::size_t p = 0; p < signature.parameters.size(); ++p)
    if (value_of(signature, p, lab.python) != nullptr)
      lines.push_back(fmt::format("  {} {} = ...;  // {} {}", cpp_type(signature.parameters[p].type),
                                  signature.parameters[p].name, lab.word("parameter"), p));
  lines.emplace_back("  pybind11::gil_scoped_release no_gil;");
  const bool nn = lab.op->bindings.starts_with("python_nn");
  lines.push_back(fmt::format("  at::Tensor result = at::{}({});", lab.op->name, fmt::join(passed, ", ")));
  const std::size_t last = lines.size();
  lines.emplace_back("  return THPVariable_Wrap(result);");
  lines.emplace_back("}");
  // The light goes down to the call of the dispatcher, or stops at the parser.
  const std::size_t goal = lab.parsed.taken ? last : parse_line;
  const auto lit = static_cast<std::size_t>(1 + shown * static_cast<double>(goal - 1) + 0.5);
  CodePicture code;
  const std::size_t reached = std::min(lit, goal);
  code.columns = {text_column(nn ? lab.word("python_nn") : "Python", {lab.call_text()}, 1, 0.35),
                  text_column(fmt::format("{}.cpp", lab.op->bindings), std::move(lines), reached)};
  code.columns[1].window.focus = reached - 1;
  return {"", 1, std::move(code)};
}

Panel signatures_panel(const DispatchLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("signature"), 3, false, false, true}, {lab.word("verdict"), 2.4, false, false, true}};
  for (std::size_t s = 0; s < lab.signatures.size(); ++s) {
    const SignatureVerdict& verdict = lab.parsed.verdicts[s];
    const bool later = lab.parsed.taken && s > *lab.parsed.taken;
    TableCell text = word_cell(std::string(lab.op->signatures[s]));
    text.code = true;
    table.rows.push_back({{std::move(text), later          ? word_cell(lab.word("not_tried"), Tone::quiet)
                                            : verdict.fits ? word_cell(lab.word("fits"), Tone::work)
                                                           : word_cell(verdict.problem, Tone::refused)},
                          lab.parsed.taken == s});
  }
  return {"", 1, std::move(table)};
}

Panel values_panel(const DispatchLab& lab) {
  TablePicture table;
  for (const std::string_view column : {"argument", "python_type", "parameter_head", "cpp_type"})
    table.columns.push_back({lab.word(column), column == "cpp_type" ? 1.4 : 1.0});
  const CallSignature& signature = lab.signatures[lab.parsed.taken.value_or(0)];
  for (const PythonValue& value : lab.python.values) {
    const SignatureParameter* parameter = nullptr;
    for (std::size_t p = 0; p < signature.parameters.size() && lab.parsed.taken; ++p)
      if (value_of(signature, p, lab.python) == &value) parameter = &signature.parameters[p];
    // Numbers in place of a tuple of ints belong to the first parameter.
    if (parameter == nullptr && lab.parsed.taken && value.keyword.empty() && value.type == "int")
      parameter = &signature.parameters.front();
    TableRow& row = table.rows.emplace_back();
    row.cells = {
        word_cell(value.text), word_cell(value.type),
        parameter == nullptr ? word_cell("–", Tone::quiet) : word_cell(parameter->name),
        parameter == nullptr ? word_cell("–", Tone::quiet) : word_cell(std::string(cpp_type(parameter->type)))};
    for (TableCell& cell : row.cells) cell.code = true;
  }
  return {"", 1, std::move(table)};
}

}  // namespace warpwalk::story
