// The scheduling, the registers and the constants of one machine instruction.
#include <algorithm>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "core/sass/analysis/dependences.h"
#include "core/sass/text.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/scenes/translator/translator.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t max_rows = 96;

// "R4, R5, P0"
std::string names_of(const sass::RegisterSet& set) {
  std::string text;
  const auto add = [&](const auto& bits, std::string_view prefix) {
    for (std::size_t i = 0; i < bits.size(); ++i)
      if (bits[i]) text += fmt::format("{}{}{}", text.empty() ? "" : ", ", prefix, i);
  };
  add(set.general, "R");
  add(set.uniform, "UR");
  add(set.predicates, "P");
  add(set.uniform_predicates, "UP");
  return text;
}

template <class Bits>
void add_cells(InstructionPane::Registers& registers, const Bits& occupied, const Bits& reads, const Bits& writes,
               std::string_view prefix, std::size_t count) {
  using Use = InstructionPane::Use;
  for (std::size_t i = 0; i < std::min(count, occupied.size()); ++i) {
    const Use use = reads[i] && writes[i] ? Use::read_written
                    : reads[i]            ? Use::read
                    : writes[i]           ? Use::written
                    : occupied[i]         ? Use::live
                                          : Use::free;
    registers.cells.emplace_back(fmt::format("{}{}", prefix, i), use);
  }
}

class PaneBuilder {
 public:
  PaneBuilder(const SceneInput& input, const DecodedKernel& kernel)
      : input_(input),
        kernel_(kernel),
        flow_(sass::control_flow(kernel.code, *kernel.function)),
        live_(sass::liveness(kernel.code, flow_, *kernel.function)) {}

  InstructionPane build() {
    choose();
    // The PTX says more exactly for which GPUs the code is: sm_90a.
    std::string target(sass::name_of(kernel_.cubin.architecture));
    if (const trace::Module* const module = module_of(input_.trace, input_.walk))
      if (const std::string ptx = ptx_target(module->ptx); ptx.starts_with(target)) target = ptx;
    pane_.head_code = word("head_code", {{"target", target}});
    pane_.count = static_cast<std::int64_t>(kernel_.code.size());
    for (const std::string_view column : {"stall", "yield", "wait", "write", "read", "reuse", "live"})
      pane_.columns.emplace_back(word(std::string("column_").append(column)), word(std::string("tip_").append(column)));
    const std::size_t peak = live_.peak();
    pane_.peak = live_.occupied(peak).general.count();
    pane_.peak_address = instruction_address_text(peak);
    pane_.allocated = kernel_.function->registers;
    add_rows();
    add_selected();
    add_registers();
    pane_.peak_note = word("peak", {{"live", fmt::to_string(pane_.peak)},
                                    {"address", instruction_address_text(peak)},
                                    {"registers", fmt::to_string(kernel_.function->registers)}});
    pane_.head_note = word("note", {{"instructions", with_thousands(pane_.count)}});
    pane_.legend = word("legend");
    pane_.head_constants = word("head_constants");
    pane_.more_constants = word("more_constants");
    pane_.constants = constant_bank(input_, kernel_, selected_);
    return std::move(pane_);
  }

 private:
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return translator_word(input_, "schedule", key, values);
  }
  const sass::Instruction* at(std::size_t i) const { return std::get_if<sass::Instruction>(&kernel_.code[i]); }

  // The chosen instruction. Without a choice, the first of the followed line that waits for a barrier, else its first.
  void choose() {
    pane_.control = "translator.instruction";
    const trace::Module& module = *module_of(input_.trace, input_.walk);
    const std::optional<double> line = input_.set("translator", "line");
    const auto asked = line && std::isfinite(*line) ? static_cast<std::int64_t>(std::clamp(*line, 0.0, 1e9)) : 0;
    const CodeView view = code_view(module, kernel_.function->name, asked, kernel_.code.size());
    lit_.assign(kernel_.code.size(), false);
    for (const CodeLine& row : view.sass.lines)
      if (const auto i = static_cast<std::size_t>(row.number) / sass::instruction_bytes; i < lit_.size())
        lit_[i] = row.lit;
    const auto last = static_cast<double>(kernel_.code.size() - 1);
    if (const auto set = input_.set("translator", "instruction"); set && std::isfinite(*set)) {
      selected_ = static_cast<std::size_t>(std::clamp(std::round(*set), 0.0, last));
      return;
    }
    const auto first_that = [&](auto&& fits) {
      std::size_t i = 0;
      while (i < kernel_.code.size() && !fits(i)) ++i;
      return i;
    };
    const auto waits = [&](std::size_t i) { return at(i) != nullptr && at(i)->control.wait_mask != 0; };
    const std::size_t choices[] = {first_that([&](std::size_t i) { return lit_[i] && waits(i); }),
                                   first_that([&](std::size_t i) { return lit_[i]; }), first_that(waits), 0};
    selected_ = *std::ranges::find_if(choices, [&](std::size_t i) { return i < kernel_.code.size(); });
  }

  void add_rows() {
    const auto here = static_cast<std::uint32_t>(selected_);
    const auto setters = sass::awaited(kernel_.code, flow_, here);
    const auto sources = sass::producers(flow_, live_, here);
    const std::size_t from = std::min(selected_ - std::min(selected_, max_rows / 2),
                                      kernel_.code.size() > max_rows ? kernel_.code.size() - max_rows : 0);
    pane_.focus = selected_ - from;
    for (std::size_t i = from; i < std::min(from + max_rows, kernel_.code.size()); ++i) {
      InstructionPane::Row row = row_of(i);
      if (i == selected_) row.part = InstructionPane::Part::selected;
      if (std::ranges::binary_search(sources, static_cast<std::uint32_t>(i)) && i != selected_) {
        row.part = InstructionPane::Part::producer;
        row.relation = word("writes", {{"registers", names_of(live_.uses[i].writes & live_.uses[selected_].reads)}});
      }
      std::string sets;
      for (const sass::BarrierSetter& setter : setters) {
        if (setter.instruction != i || i == selected_) continue;
        row.part = InstructionPane::Part::setter;
        sets += (sets.empty() ? "" : ", ") + word("sets", {{"barrier", fmt::to_string(setter.barrier)}});
      }
      row.relation = sets + (sets.empty() || row.relation.empty() ? "" : ", ") + row.relation;
      pane_.rows.push_back(std::move(row));
    }
  }

  InstructionPane::Row row_of(std::size_t i) const {
    InstructionPane::Row row;
    row.number = static_cast<std::int64_t>(i);
    row.address = instruction_address_text(i);
    row.text = kernel_.text(i);
    row.lit = lit_[i];
    row.used = flow_.reachable[i];
    row.live = live_.occupied(i).general.count();
    const sass::Instruction* const instruction = at(i);
    if (instruction == nullptr) {
      row.tip = std::get<sass::UnknownInstruction>(kernel_.code[i]).what;
      return row;
    }
    const sass::Control& control = instruction->control;
    row.stall = fmt::to_string(control.stall);
    row.yields = control.yield;
    row.waits = control.wait_mask;
    if (control.write_barrier < dependence_barriers) row.write_barrier = fmt::to_string(control.write_barrier);
    if (control.read_barrier < dependence_barriers) row.read_barrier = fmt::to_string(control.read_barrier);
    row.reuses = std::ranges::any_of(instruction->operands, &sass::Operand::reuse);
    row.tip = instruction_words(input_.narration, row.text).lines();
    for (const std::string& sentence : control_sentences(input_.narration, kernel_, flow_, i, false))
      row.tip += (row.tip.empty() ? "" : "\n") + sentence;
    return row;
  }

  void add_selected() {
    pane_.selected = fmt::format("{}  {}", instruction_address_text(selected_), kernel_.text(selected_));
    if (at(selected_) == nullptr) {
      pane_.does = std::get<sass::UnknownInstruction>(kernel_.code[selected_]).what;
      return;
    }
    InstructionWords words = instruction_words(input_.narration, kernel_.text(selected_));
    pane_.does = std::move(words.does);
    pane_.modifiers = std::move(words.modifiers);
    if (!words.guard.empty()) pane_.schedule.push_back(std::move(words.guard));
    for (std::string& sentence : control_sentences(input_.narration, kernel_, flow_, selected_, true))
      pane_.schedule.push_back(std::move(sentence));
    if (!flow_.complete || !live_.complete) pane_.schedule.push_back(word("incomplete"));
  }

  void add_registers() {
    const sass::RegisterSet occupied = live_.occupied(selected_);
    const sass::RegisterUse& use = live_.uses[selected_];
    sass::RegisterSet all;
    for (std::size_t i = 0; i < kernel_.code.size(); ++i) all |= live_.occupied(i);
    const auto used = [](const auto& bits) {
      std::size_t count = bits.size();
      while (count > 0 && !bits[count - 1]) --count;
      return count;
    };
    pane_.head_registers = word("head_registers", {{"live", fmt::to_string(occupied.general.count())},
                                                   {"registers", fmt::to_string(kernel_.function->registers)}});
    for (const std::string_view name : {"free", "live", "read", "written", "read_written"})
      pane_.uses.push_back(word(std::string("use_").append(name)));
    InstructionPane::Registers general{word("general"), {}}, uniform{word("uniform"), {}},
        predicates{word("predicates"), {}};
    add_cells(general, occupied.general, use.reads.general, use.writes.general, "R",
              std::max<std::size_t>(used(all.general), std::min<std::size_t>(kernel_.function->registers, 255)));
    add_cells(uniform, occupied.uniform, use.reads.uniform, use.writes.uniform, "UR", used(all.uniform));
    add_cells(predicates, occupied.predicates, use.reads.predicates, use.writes.predicates, "P", used(all.predicates));
    add_cells(predicates, occupied.uniform_predicates, use.reads.uniform_predicates, use.writes.uniform_predicates,
              "UP", used(all.uniform_predicates));
    for (InstructionPane::Registers* const one : {&general, &uniform, &predicates})
      if (!one->cells.empty()) pane_.registers.push_back(std::move(*one));
  }

  const SceneInput& input_;
  const DecodedKernel& kernel_;
  sass::ControlFlow flow_;
  sass::Liveness live_;
  std::vector<bool> lit_;  // the instructions of the followed source line
  std::size_t selected_ = 0;
  InstructionPane pane_;
};

}  // namespace

std::optional<DecodedKernel> followed_code(const SceneInput& input) {
  const trace::Module* const module = module_of(input.trace, input.walk);
  const trace::KernelRecord* const record = kernel_record(input.trace, input.walk);
  if (module == nullptr || record == nullptr) return {};
  auto kernel = decoded_kernel(*module, record->entry);
  if (kernel && kernel->code.empty()) return {};
  return kernel;
}

InstructionPane instruction_pane(const SceneInput& input) {
  if (const auto kernel = followed_code(input)) return PaneBuilder(input, *kernel).build();
  InstructionPane pane;
  pane.missing = translator_word(input, "schedule", "unreadable");
  return pane;
}

}  // namespace warpwalk::story
