// Lab: from source to PTX to machine code: which lines belong together, what the levels of optimisation change, what
// ptxas did to each PTX instruction, and the control codes of the machine code.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/compiled/compiled.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::pair<std::string_view, PtxFate::Kind> fate_words[] = {{"merged", PtxFate::Kind::merged},
                                                                     {"operands", PtxFate::Kind::operand},
                                                                     {"removed", PtxFate::Kind::removed},
                                                                     {"unrolled", PtxFate::Kind::unrolled}};

std::vector<Task> tasks_of(const CompiledLab& lab) {
  const bool usable = lab.kernel.has_value() && lab.example != nullptr;
  const auto near_best = [&](std::size_t level) {
    return lab.example->levels[level].cycles_simulated <= 1.01 * lab.best().cycles_simulated;
  };
  const auto waits_for_load = [&] {
    const auto nearest = lab.awaited_by(lab.instruction);
    const auto* const one = nearest ? std::get_if<sass::Instruction>(&lab.kernel->code[*nearest]) : nullptr;
    return one != nullptr && sass::kind_of(*one) == sass::InstructionKind::load;
  };
  const std::string fate_text = lab.fate == nullptr ? "" : lab.ptx_line(lab.fate->line);
  return {{"lowest", usable && lab.example->name == "bank_conflicts" && near_best(lab.level) && lab.level > 0 &&
                         !near_best(lab.level - 1)},
          {"tenfold", usable && lab.compiled()->cycles_simulated > 10 * lab.best().cycles_simulated},
          {"unrolled", usable && lab.fate != nullptr && lab.fate->kind == PtxFate::Kind::unrolled},
          {"folded", usable && lab.fate != nullptr && lab.fate->kind == PtxFate::Kind::merged &&
                         (fate_text.starts_with("mul") || fate_text.starts_with("shl"))},
          {"waits", usable && waits_for_load()}};
}

using PtxSassBeat = BeatOf<CompiledLab, CompiledStart>;

std::string count_of(const CompiledLab& lab, PtxFate::Kind kind) {
  return with_thousands(std::ranges::count(lab.fates, kind, &PtxFate::kind));
}

std::string moved_count(const CompiledLab& lab) {
  return with_thousands(std::ranges::count_if(lab.fates, [](const PtxFate& one) { return one.moved != 0; }));
}

// How many times as many cycles as the best level the first one takes.
double debug_times(const CompiledLab& lab) {
  return lab.example->levels.front().cycles_simulated / lab.best().cycles_simulated;
}

Narration::Values values_of(const CompiledLab& lab) {
  Narration::Values values = {{"kernel", lab.kernel_name}};
  if (const records::CompiledLevel* const level = lab.compiled()) {
    values["level"] = level->name;
    values["debug"] = with_marks(fmt::format("{:.1f}", debug_times(lab)));
  }
  if (!lab.kernel) return values;
  values["instructions"] = with_thousands(lab.instructions);
  values["ptx"] = with_thousands(std::ssize(lab.fates));
  values["without"] =
      with_thousands(std::ranges::count_if(lab.fates, [](const PtxFate& one) { return one.sass.empty(); }));
  for (const auto& [key, kind] : fate_words) values[std::string(key)] = count_of(lab, kind);
  values["moved"] = moved_count(lab);
  const std::string text = lab.kernel->text(lab.instruction);
  values["op"] = text.substr(0, text.find(' ', text.starts_with('@') ? text.find(' ') + 1 : 0));
  return values;
}

void kind_values(const CompiledLab& lab, Narration::Values& values) {
  const auto moves = [](const records::CompiledLevel& one) {
    return with_thousands(kind_counts(one.module).count(sass::InstructionKind::move));
  };
  values["moves_debug"] = moves(lab.example->levels.front());
  values["moves_best"] = moves(lab.best());
}

void compiled_code_facts(const CompiledLab& lab, FactWriter& facts) {
  facts.derived("kernel", lab.kernel_name);
  if (const records::CompiledLevel* const level = lab.compiled()) facts.derived("level", level->name);
  facts.derived("instructions", with_thousands(lab.instructions));
  facts.derived("ptx", with_thousands(std::ssize(lab.fates)));
  facts.derived("registers", fmt::to_string(lab.kernel->function->registers));
}

void debug_facts(const CompiledLab& lab, FactWriter& facts) {
  facts.derived("debug", with_marks(fmt::format("{:.1f}", debug_times(lab))));
}

void fate_facts(const CompiledLab& lab, FactWriter& facts) {
  for (const auto& [key, kind] : fate_words) facts.derived(key, count_of(lab, kind));
  facts.derived("moved", moved_count(lab));
}

std::optional<MissingData> no_code(const CompiledLab& lab) {
  return lab.kernel ? std::nullopt : std::optional(MissingData{"code"});
}

std::optional<MissingData> no_fates(const CompiledLab& lab) {
  return lab.kernel && !lab.fates.empty() ? std::nullopt : std::optional(MissingData{"code"});
}

std::optional<Ask> levels_question(const CompiledLab& lab) {
  Ask asked{
      "levels", lab.example->name, range_options(lab.input.narration, debug_times(lab), {2, 4, 8, 16}, ""), {"kernel"}};
  asked.hide = [](Panels& panels) {  // instructions and registers of each level stay
    if (auto* const levels = picture_at<TablePicture>(panels, 0, 0)) hide_columns(*levels, 3);
    hide_values(panels.rows.back().panels.back().picture);
  };
  return asked;
}

constexpr Frame<CompiledLab, CompiledStart> ptx_sass_frame = {
    .subject = [](const Here& here) { return CompiledLab(here.input, here.shown<PtxSassBeat>()->more); },
    .stop = "driver",
    .values = values_of,
    .facts = compiled_code_facts,
    .complete = take_controls};

ControlNames level_controls(const CompiledLab&) { return {"kernel", "level"}; }

constexpr PtxSassBeat ptx_sass_beats[] = {
    {.key = "linked",
     .missing = no_code,
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {linked_panel(lab)}}};
     },
     .controls = level_controls},
    {.key = "levels",
     .missing = no_code,
     .facts = debug_facts,
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {levels_panel(lab)}, true}, {1.3, {cycles_panel(lab)}}};
     },
     .controls = level_controls,
     .question = levels_question,
     .more = {.examples_alone = true}},
    {.key = "kinds",
     .missing = no_code,
     .values = kind_values,
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {kinds_panel(lab)}, true}, {1.3, {two_levels_panel(lab)}}};
     },
     .controls = level_controls,
     .more = {.examples_alone = true}},
    {.key = "moved",
     .missing = no_fates,
     .facts = fate_facts,
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {fates_panel(lab), machine_code_panel(lab)}}};
     },
     .controls = [](const CompiledLab&) -> ControlNames {
       return {"kernel", "level", "ptx"};
     }},
    {.key = "codes",
     .missing = no_code,
     .section = [](const CompiledLab& lab) -> std::string {
       return lab.awaited_by(lab.instruction) ? "codes" : "codes.free";
     },
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {control_codes_panel(lab), control_words_panel(lab)}}};
     },
     .controls = [](const CompiledLab&) -> ControlNames {
       return {"kernel", "level", "instruction"};
     }},
    {.key = "tasks",
     .missing = no_code,
     .facts = debug_facts,
     .panels = [](const CompiledLab& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, CompiledLab::name, tasks_of(lab))}, true}, {1, {levels_panel(lab)}}};
     },
     .more = {.examples_alone = true}}};

}  // namespace

const Contents& ptx_sass_lab() {
  static const BeatTable table(CompiledLab::name, ptx_sass_frame, ptx_sass_beats);
  return table;
}

}  // namespace warpwalk::story
