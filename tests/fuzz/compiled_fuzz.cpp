// Fuzzes the readers of what PyTorch's and Triton's compilers write. Each accepts any text, and what it says is one
// line. Called by libFuzzer or driver.cpp.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/compiled/evaluate/evaluate_block.h"
#include "core/compiled/inductor_output.h"
#include "core/compiled/layout/cute_layout.h"
#include "core/compiled/layout/encoding.h"
#include "core/compiled/layout/module_layouts.h"
#include "core/compiled/lines/kernel_lines.h"
#include "core/compiled/mlir/mlir.h"
#include "core/compiled/torch_log.h"
#include "core/compiled/triton_files.h"
#include "core/compiled/triton_launch.h"
#include "tests/fuzz/require.h"

namespace warpwalk::compiled {
namespace {

void try_layout(std::string_view text) {
  const auto cute = parse_cute_layout(text);
  if (!cute) fuzz::require_line(cute.error());
  if (cute) fuzz::require(cute->offset(std::vector<std::int64_t>(cute->modes.size())) < cute->cosize(), "an offset");
  const auto encoding =
      parse_encoding(text, [&](std::string_view alias) { return std::string(text.substr(alias.size() % 9)); });
  if (!encoding) return fuzz::require_line(encoding.error());
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
           {64}, {32, 64}, {2, 128, 16}, {1 << 20, 1 << 20}, {1, 1, 1, 1, 1, 1, 1, 1}, {3, 5}}) {
    const auto layout = layout_of(*encoding, shape);
    if (!layout) {
      fuzz::require_line(layout.error());
      continue;
    }
    fuzz::require(layout->element({~0ULL, ~0ULL, ~0ULL, ~0ULL}) < layout->elements(), "a place holds an element");
    for (const LayoutPlace& place : layout->places_of(layout->elements() - 1))
      fuzz::require(layout->element(place) == layout->elements() - 1, "a place of an element holds it");
  }
}

void try_mlir(std::string_view text) {
  const MlirModule module = parse_mlir(text);
  for (const MlirOp& op : module.ops) {
    fuzz::require(op.line >= 1 && op.last_line >= op.line, "an operation ends after it begins");
    fuzz::require(op.block >= 0 && static_cast<std::size_t>(op.block) < module.blocks.size(), "it stands in a block");
    for (const MlirFrame& frame : module.frames(op.location)) fuzz::require(frame.line > 0, "lines begin at 1");
    for (const MlirValue& result : op.results) mlir_shaped(result.type);
    mlir_attribute(op, "axis");
  }
  int functions = 0;
  for (const std::int32_t function : module.functions()) {
    if (++functions > 4) break;
    for (const TensorLayout& tensor : module_layouts(module, function))
      fuzz::require(tensor.layout || !tensor.problem.empty(), "a layout that is not known says why");
    EvaluatedBlock block;
    block.arguments.resize(3);
    for (TensorValue& value : block.arguments) value.known = true, value.numbers = {64};
    block.read = [](std::uint64_t address, int, std::uint64_t& value) { return (value = address, true); };
    std::uint64_t work = 100'000;
    const auto done = evaluate_block(module, function, block, work, [&](const EvaluatedOp& op) {
      fuzz::require(op.op >= 0 && static_cast<std::size_t>(op.op) < module.ops.size(), "an operation of the module");
    });
    if (!done) fuzz::require_line(done.error());
  }
  std::size_t texts = 0;
  for (const auto& [name, alias] : module.aliases)
    if (++texts <= 4) module.resolved(alias);
}

/// Each text as each stage. Positions of places are those of lines.
void try_lines(std::string_view text) {
  const StageTexts texts{std::string(text), std::string(text), std::string(text),
                         std::string(text), std::string(text), std::string(text)};
  const KernelLines linked = link_lines(texts, "softmax_kernel", {});
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
  for (const LinkedLine& line : linked.lines) {
    fuzz::require(line.python.line >= 0, "lines begin at 1");
    for (std::size_t stage = 0; stage < static_cast<std::size_t>(CodeStage::sass); ++stage)
      for (const std::uint64_t place : line.places[stage])
        fuzz::require(place >= 1 && place <= lines, "a place is a line of the text");
  }
}

void try_text(std::string_view text) {
  try_layout(text);
  is_torch_log(text);
  is_tritonparse_log(text);
  is_inductor_output(text);
  Compiled all;
  read_torch_log(text, "a.log", all);
  read_tritonparse_log(text, "b.ndjson", all);
  for (const CompiledKernel& kernel : all.kernels)
    for (const PythonLine& line : kernel.python) fuzz::require(line.line >= 0, "lines begin at 1");
  for (const CompileEvent& event : all.events) {
    fuzz::require(event.reason.find('\n') == std::string::npos, "a reason is one line");
    for (const std::string& hint : event.hints) fuzz::require(hint.find('\n') == std::string::npos, "so is a hint");
    fuzz::require(event.python.line >= 0, "lines begin at 1");
  }
  for (const std::string& problem : all.problems) fuzz::require_line(problem);
  for (const InductorKernel& kernel : read_inductor_output(text))
    fuzz::require(kernel.place("o.py").line >= 0, "lines begin at 1");
  CompiledKernel kernel;
  read_triton_metadata(text, kernel);
  fuzz::require(triton_place(text).line >= 0, "lines begin at 1");
  try_mlir(text);
  try_lines(text);
  for (const TritonParameter& one : triton_parameters(text, "add_kernel"))
    fuzz::require(one.name.size() + one.type.size() <= text.size(), "a parameter is a part of the text");
}

}  // namespace
}  // namespace warpwalk::compiled

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpwalk::compiled::try_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
