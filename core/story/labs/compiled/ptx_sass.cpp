// Lab: from source to PTX to machine code: which lines belong together, what the levels of optimisation change, what
// ptxas did to each PTX instruction, and the control codes of the machine code.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/compiled/compiled.h"
#include "core/story/labs/lab.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view ptx_sass_lab = CompiledLab::name;

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

Panels panels_of(const CompiledLab& lab, std::string_view beat) {
  Panels panels;
  if (beat == "linked")
    panels.rows = {{1, {linked_panel(lab)}}};
  else if (beat == "levels")
    panels.rows = {{1, {levels_panel(lab)}, true}, {1.3, {cycles_panel(lab)}}};
  else if (beat == "kinds")
    panels.rows = {{1, {kinds_panel(lab)}, true}, {1.3, {two_levels_panel(lab)}}};
  else if (beat == "moved")
    panels.rows = {{1, {fates_panel(lab), machine_code_panel(lab)}}};
  else if (beat == "codes")
    panels.rows = {{1, {control_codes_panel(lab), control_words_panel(lab)}}};
  else
    panels.rows = {{1, {tasks_panel(lab.input, ptx_sass_lab, tasks_of(lab))}, true}, {1, {levels_panel(lab)}}};
  return panels;
}

}  // namespace

std::vector<Beat> ptx_sass_beats(const Trace&, const Walk&) {
  return {{"linked", 0}, {"levels", 0}, {"kinds", 0}, {"moved", 0}, {"codes", 0}, {"tasks", 0}};
}

Stage ptx_sass(const SceneInput& input) {
  std::vector<Beat> beats = ptx_sass_beats(input.trace, input.walk);
  Beat& shown = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = shown.key;
  CompiledLab lab(input, beat);
  const bool empty = !lab.kernel || (beat == "moved" && lab.fates.empty());
  if (empty) shown.key = "none";

  Narration::Values values = {{"kernel", lab.kernel_name}};
  const CompiledLevel* const level = lab.compiled();
  if (level != nullptr) {
    const CompiledLevel& debug = lab.example->levels.front();
    values["level"] = level->name;
    values["debug"] = fmt::format("{:.1f}", debug.cycles_simulated / lab.best().cycles_simulated);
  }
  constexpr std::pair<std::string_view, PtxFate::Kind> fates[] = {{"merged", PtxFate::Kind::merged},
                                                                  {"operands", PtxFate::Kind::operand},
                                                                  {"removed", PtxFate::Kind::removed},
                                                                  {"unrolled", PtxFate::Kind::unrolled}};
  if (!empty) {
    values["instructions"] = with_thousands(lab.counts().all);
    values["ptx"] = with_thousands(std::ssize(lab.fates));
    values["without"] =
        with_thousands(std::ranges::count_if(lab.fates, [](const PtxFate& one) { return one.sass.empty(); }));
    for (const auto& [key, kind] : fates)
      values[std::string(key)] = with_thousands(std::ranges::count(lab.fates, kind, &PtxFate::kind));
    values["moved"] =
        with_thousands(std::ranges::count_if(lab.fates, [](const PtxFate& one) { return one.moved != 0; }));
    const std::string text = lab.kernel->text(lab.instruction);
    values["op"] = text.substr(0, text.find(' ', text.starts_with('@') ? text.find(' ') + 1 : 0));
  }
  if (beat == "kinds" && level != nullptr) {
    const auto moves = [](const CompiledLevel& one) {
      return with_thousands(kind_counts(one.module).count(sass::InstructionKind::move));
    };
    values["moves_debug"] = moves(lab.example->levels.front());
    values["moves_best"] = moves(lab.best());
  }
  if (!empty && beat == "codes" && !lab.awaited_by(lab.instruction)) shown.key = "codes.free";
  Stage stage = common_stage(input, ptx_sass_lab, beats, values, "driver");
  FactWriter facts(input, values, stage);
  if (!empty) {
    facts.derived("kernel", lab.kernel_name);
    if (level != nullptr) facts.derived("level", level->name);
    facts.derived("instructions", values["instructions"]);
    facts.derived("ptx", values["ptx"]);
    facts.derived("registers", fmt::to_string(lab.kernel->function->registers));
    if (beat == "levels" || beat == "tasks") facts.derived("debug", values["debug"]);
    if (beat == "moved") {
      for (const auto& [key, kind] : fates) facts.derived(key, values[std::string(key)]);
      facts.derived("moved", values["moved"]);
    }
    stage.picture = std::make_shared<const Panels>(panels_of(lab, beat));
  } else {
    facts.missing("code");
  }
  stage.controls = lab.controls.take();
  if (beat == "linked" || beat == "levels" || beat == "kinds") keep_controls(stage, {"kernel", "level"});
  if (beat == "moved") keep_controls(stage, {"kernel", "level", "ptx"});
  if (beat == "codes") keep_controls(stage, {"kernel", "level", "instruction"});
  if (beat == "levels" && level != nullptr) {
    Ask asked{"levels",
              lab.example->name,
              range_options(input.narration, lab.example->levels.front().cycles_simulated / lab.best().cycles_simulated,
                            {2, 4, 8, 16}, ""),
              {"kernel"}};
    asked.hide = [](Panels& panels) {  // instructions and registers of each level stay
      if (auto* const levels = picture_at<TablePicture>(panels, 0, 0)) hide_columns(*levels, 3);
      hide_values(panels.rows.back().panels.back().picture);
    };
    ask(input, values, asked, stage);
  }
  return stage;
}

}  // namespace warpwalk::story
