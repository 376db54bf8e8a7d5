#include "core/story/labs/compiled/compiled.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/ptx/parse/parser.h"
#include "core/records/hardware.h"
#include "core/sass/analysis/dependences.h"

namespace warpwalk::story {
namespace {

// Longer modules are not read again for every frame.
constexpr std::size_t max_ptx_bytes = std::size_t{1} << 20;
constexpr std::size_t max_instructions = 4000;
constexpr std::int64_t max_source_line = 100000;

/// The followed kernel's module if it has PTX and machine code that can be linked.
const trace::Module* followed_module(const SceneInput& input, std::string& entry) {
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  if (record == nullptr || record->module >= input.trace.records.modules.size()) return nullptr;
  const trace::Module& module = input.trace.records.modules[record->module];
  if (module.ptx.empty() || module.ptx.size() > max_ptx_bytes) return nullptr;
  const auto kernel = decoded_kernel(module, record->entry, max_instructions);
  if (!kernel || kernel->code.empty()) return nullptr;
  entry = record->entry;
  return &module;
}

// The lines without the blanks at their beginning, and with single ones between words.
std::vector<std::string> compact_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string& shown = lines.emplace_back();
    for (const char c : line) {
      const bool blank = c == ' ' || c == '\t';
      if (c != '\r' && !(blank && shown.ends_with(' '))) shown += blank ? ' ' : c;
    }
  }
  return lines;
}

}  // namespace

KindCounts kind_counts(const DecodedKernel& kernel, const sass::ControlFlow& flow) {
  KindCounts counts;
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const auto* const instruction = std::get_if<sass::Instruction>(&kernel.code[i]);
    if (instruction == nullptr || !flow.reachable[i]) continue;
    const sass::InstructionKind kind = sass::kind_of(*instruction);
    if (kind == sass::InstructionKind::no_operation) continue;
    ++counts.of[static_cast<std::size_t>(kind)];
    ++counts.all;
  }
  return counts;
}

KindCounts kind_counts(const trace::Module& module) {
  KindCounts sum;
  const auto parsed = sass::parse_cubin({reinterpret_cast<const char*>(module.cubin.data()), module.cubin.size()});
  if (!parsed) return sum;
  for (const sass::CubinFunction& function : parsed->functions) {
    const auto kernel = decoded_kernel(module, function.name, max_instructions);
    if (!kernel) continue;
    const KindCounts one = kind_counts(*kernel, sass::control_flow(kernel->code, *kernel->function));
    for (std::size_t kind = 0; kind < sum.of.size(); ++kind) sum.of[kind] += one.of[kind];
    sum.all += one.all;
  }
  return sum;
}

CompiledLab::CompiledLab(const SceneInput& in, const CompiledStart& start) : input(in), controls(in, name) {
  choose_kernel(start);
  if (module == nullptr) return;
  read_code();
  if (kernel) choose_places();
}

void CompiledLab::choose_kernel(const CompiledStart& start) {
  const std::vector<records::LevelledKernel>& examples = input.hardware.levelled;
  std::vector<std::string> names;
  for (const records::LevelledKernel& one : examples) names.push_back(word(fmt::format("kernel.{}", one.name)));
  std::string own_entry;
  const trace::Module* const own = start.examples_alone ? nullptr : followed_module(input, own_entry);
  if (own != nullptr) names.push_back(word("followed", {{"kernel", analysis::short_kernel_name(own_entry)}}));
  if (names.empty()) return;
  const std::size_t chosen =
      controls.choice("kernel", names, own == nullptr ? 0 : names.size() - 1, own == nullptr ? "example" : "walk");
  kernel_name = chosen < examples.size() ? names[chosen] : analysis::short_kernel_name(own_entry);
  if (chosen >= examples.size()) {
    module = own;
    entry = own_entry;
    return;
  }
  example = &examples[chosen];
  std::vector<std::string> levels;
  for (const records::CompiledLevel& one : example->levels) levels.push_back(one.name);
  level = controls.choice("level", levels, levels.size() - 1, "default_level");
  module = &example->levels[level].module;
  entry = example->entry;
}

void CompiledLab::read_code() {
  kernel = decoded_kernel(*module, entry, max_instructions);
  if (!kernel) return;
  flow = sass::control_flow(kernel->code, *kernel->function);
  instructions = (example == nullptr ? kind_counts(*kernel, flow) : kind_counts(*module)).all;
  for (const trace::LineMapRow& row : line_map(*kernel, module->source_file)) {
    const std::size_t i = ptx_lines.size();
    const auto* const one = std::get_if<sass::Instruction>(&kernel->code[i]);
    const bool padding = one != nullptr && one->opcode == sass::Opcode::nop;
    ptx_lines.push_back(flow.reachable[i] && !padding ? row.ptx_line : 0);
  }
  ptx_text = compact_lines(module->ptx);
  const auto parsed = ptx::parse(module->ptx);
  const auto* const read = std::get_if<ptx::Module>(&parsed);
  const ptx::Function* const function = read == nullptr ? nullptr : read->entry(entry);
  if (function != nullptr) fates = ptx_fates(*function, kernel->code, ptx_lines);
}

void CompiledLab::choose_places() {
  if (!fates.empty()) {
    std::vector<double> lines;
    for (const PtxFate& one : fates)
      if (lines.empty() || one.line > lines.back()) lines.push_back(one.line);
    // Something that ptxas changed, if there is anything: a load, or else another instruction.
    const auto is_merged = [](const PtxFate& one) { return one.kind == PtxFate::Kind::merged; };
    auto first = std::ranges::find_if(
        fates, [&](const PtxFate& one) { return is_merged(one) && ptx_line(one.line).starts_with("ld."); });
    if (first == fates.end()) first = std::ranges::find_if(fates, is_merged);
    if (first == fates.end()) first = fates.begin();
    const auto set = controls.slider("ptx", lines, first->line, "example");
    fate = &*std::ranges::find(fates, static_cast<std::uint32_t>(set), &PtxFate::line);
  }
  std::size_t waiting = 0;
  while (waiting < kernel->code.size() && !awaited_by(waiting)) ++waiting;
  const auto last = static_cast<double>(kernel->code.size() - 1);
  instruction = static_cast<std::size_t>(
      controls.slider("instruction", steps_by(0, last, 1),
                      waiting < kernel->code.size() ? static_cast<std::int64_t>(waiting) : 0, "example"));
  source_line = controls.pointed("line", max_source_line, 0);
}

std::vector<std::uint32_t> CompiledLab::shown_sass() const {
  if (fate == nullptr) return {};
  if (!fate->sass.empty() || fate->into == 0) return fate->sass;
  const auto into = std::ranges::find(fates, fate->into, &PtxFate::line);
  return into == fates.end() ? fate->sass : into->sass;
}

std::optional<std::uint32_t> CompiledLab::awaited_by(std::size_t i) const {
  std::optional<std::uint32_t> nearest;
  for (const sass::BarrierSetter& setter : sass::awaited(kernel->code, flow, static_cast<std::uint32_t>(i)))
    if (setter.instruction < i && (!nearest || setter.instruction > *nearest)) nearest = setter.instruction;
  return nearest;
}

}  // namespace warpwalk::story
