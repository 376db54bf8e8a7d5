// The panels of the lab of PTX and machine code.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/sass/analysis/dependences.h"
#include "core/story/facts/code/instruction_words.h"
#include "core/story/facts/code/linked_code.h"
#include "core/story/labs/compiled/compiled.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t most_code_lines = 400;
constexpr std::size_t table_rows = 18;
constexpr std::size_t rows_before = 5;  // the chosen one
constexpr std::string_view fate_keys[] = {"kept", "expanded", "unrolled", "merged", "operand", "removed"};

std::string_view key_of(PtxFate::Kind kind) { return fate_keys[static_cast<std::size_t>(kind)]; }

Tone tone_of(PtxFate::Kind kind) {
  switch (kind) {
    case PtxFate::Kind::unrolled: return Tone::memory;
    case PtxFate::Kind::merged: return Tone::shared;
    case PtxFate::Kind::operand: return Tone::quiet;
    case PtxFate::Kind::removed: return Tone::refused;
    default: return Tone::plain;
  }
}

std::string control_name(std::string_view control) { return fmt::format("{}.{}", CompiledLab::name, control); }

// The first of `count` rows so that the chosen one has some before it.
std::size_t window_start(std::size_t chosen, std::size_t count, std::size_t before) {
  const std::size_t from = chosen - std::min(chosen, before);
  return std::min(from, count > table_rows ? count - table_rows : 0);
}

std::string fate_text(const CompiledLab& lab, const PtxFate& fate) {
  const std::string key = fmt::format("became.{}{}", key_of(fate.kind), fate.uniform ? ".uniform" : "");
  std::string text = lab.word(key, {{"copies", fmt::to_string(fate.copies)},
                                    {"n", fmt::to_string(fate.sass.size())},
                                    {"line", fmt::to_string(fate.into)}});
  if (fate.moved != 0)
    text += ", " + lab.word(fate.moved > 0 ? "moved_up" : "moved_down", {{"n", fmt::to_string(std::abs(fate.moved))}});
  return text;
}

CodePicture::Column column_of(const CompiledLab& lab, CodeKind kind, std::string_view key, CodeWindow window) {
  CodePicture::Column column;
  column.kind = kind;
  column.name = lab.word(key);
  column.note = lab.word(window.lit_lines > 0 ? "lit" : "lines",
                         {{"lines", with_thousands(window.all_lines)}, {"lit", with_thousands(window.lit_lines)}});
  if (window.lines.empty()) {
    column.missing = lab.word(fmt::format("no_{}", key));
    column.share = 0.5;
  }
  if (kind == CodeKind::sass)
    for (CodeLine& line : window.lines) line.tip = instruction_words(lab.input.narration, line.text).lines();
  column.window = std::move(window);
  return column;
}

}  // namespace

Panel linked_panel(const CompiledLab& lab) {
  CodeView view = code_view(*lab.module, lab.entry, lab.source_line, most_code_lines);
  CodePicture code;
  code.control = control_name("line");
  code.line = view.line;
  code.lines = std::move(view.lines);
  code.decoded = view.decoded;
  code.columns.push_back(column_of(lab, CodeKind::source, "source", std::move(view.source)));
  code.columns.back().share *= 1.4;  // its lines are the longest
  code.columns.push_back(column_of(lab, CodeKind::ptx, "ptx", std::move(view.ptx)));
  code.columns.push_back(column_of(lab, CodeKind::sass, "sass", std::move(view.sass)));
  return {"", 1, std::move(code)};
}

Panel levels_panel(const CompiledLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("level"), 1}};
  constexpr std::pair<std::string_view, double> heads[] = {{"instructions", 1.9},    {"registers", 1.5},
                                                           {"executed", 1.7},        {"cycles_simulated", 2.4},
                                                           {"cycles_measured", 1.9}, {"times", 1.1}};
  for (const auto& [head, share] : heads) table.columns.push_back({lab.word(head), share, true});
  for (std::size_t i = 0; i < lab.example->levels.size(); ++i) {
    const records::CompiledLevel& level = lab.example->levels[i];
    const auto kernel = decoded_kernel(level.module, lab.example->entry);
    if (!kernel) continue;
    const KindCounts counts = kind_counts(level.module);
    TableRow row;
    row.cells = {code_cell(level.name),
                 figure_cell(Figure::derived(static_cast<double>(counts.all), Unit::count, lab.word("of_cubin"))),
                 figure_cell(Figure::derived(static_cast<double>(kernel->function->registers), Unit::count,
                                             lab.word("of_cubin"))),
                 figure_cell(Figure::recorded(level.executed_instructions, Unit::count, Origin::simulated)),
                 figure_cell(Figure::recorded(level.cycles_simulated, Unit::count, Origin::simulated)),
                 figure_cell(Figure::recorded(level.cycles_measured, Unit::count, Origin::measured)),
                 figure_cell(Figure::derived(
                     with_marks(fmt::format("{:.2f}", level.cycles_simulated / lab.best().cycles_simulated)),
                     lab.word("of_best", {{"level", lab.best().name}})))};
    row.followed = i == lab.level;
    row.sets = {{control_name("level"), static_cast<double>(i)}};
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

Panel kinds_panel(const CompiledLab& lab) {
  using sass::InstructionKind;
  constexpr std::pair<InstructionKind, std::string_view> kinds[] = {
      {InstructionKind::load, "kind.load"},       {InstructionKind::store, "kind.store"},
      {InstructionKind::local, "kind.local"},     {InstructionKind::floating, "kind.floating"},
      {InstructionKind::integer, "kind.integer"}, {InstructionKind::move, "kind.move"},
      {InstructionKind::control, "kind.control"}};
  TablePicture table;
  table.columns = {{lab.word("level"), 1}};
  for (const auto& [kind, key] : kinds)
    table.columns.push_back({lab.word(key), key == "kind.local" || key == "kind.floating" ? 2.2 : 1.4, true});
  for (std::size_t i = 0; i < lab.example->levels.size(); ++i) {
    const records::CompiledLevel& level = lab.example->levels[i];
    const KindCounts counts = kind_counts(level.module);
    TableRow row;
    row.cells.push_back(code_cell(level.name));
    for (const auto& [kind, key] : kinds)
      row.cells.push_back(
          figure_cell(Figure::derived(static_cast<double>(counts.count(kind)), Unit::count, lab.word("of_cubin"))));
    row.followed = i == lab.level;
    row.sets = {{control_name("level"), static_cast<double>(i)}};
    table.rows.push_back(std::move(row));
  }
  return {"", 1, std::move(table)};
}

Panel cycles_panel(const CompiledLab& lab) {
  ScatterPicture picture;
  double least[2] = {1e18, 1e18}, most[2] = {0, 0};
  picture.groups = {{lab.word("simulated"), Tone::memory}, {lab.word("measured"), Tone::work}};
  for (const records::CompiledLevel& level : lab.example->levels)
    for (const bool measured : {false, true}) {
      const double x = level.executed_instructions, y = measured ? level.cycles_measured : level.cycles_simulated;
      picture.points.push_back({x, y, measured ? std::size_t{1} : 0, level.name,
                                fmt::format("{}, {}", with_thousands(std::llround(x)), with_thousands(std::llround(y))),
                                !measured && (level.name == "-G" || level.name == "-O0" || level.name == "-O1")});
      least[0] = std::min(least[0], x), least[1] = std::min(least[1], y);
      most[0] = std::max(most[0], x), most[1] = std::max(most[1], y);
    }
  const auto axis = [&](std::string_view key, std::size_t i) {
    ScatterAxis made = {lab.word(key),
                        std::pow(10, std::floor(std::log10(least[i]))),
                        std::pow(10, std::ceil(std::log10(most[i]))),
                        true,
                        {}};
    for (double tick = made.from; tick <= made.to * 1.01; tick *= 10)
      made.ticks.emplace_back(tick, with_thousands(std::llround(tick)));
    return made;
  };
  picture.across = axis("executed_axis", 0);
  picture.up = axis("cycles_axis", 1);
  return {"", 1, std::move(picture)};
}

Panel two_levels_panel(const CompiledLab& lab) {
  const std::size_t other = lab.level == 0 ? lab.example->levels.size() - 1 : 0;
  CodePicture code;
  code.control = control_name("line");
  for (const std::size_t i : {std::min(lab.level, other), std::max(lab.level, other)}) {
    const records::CompiledLevel& level = lab.example->levels[i];
    CodeView view = code_view(level.module, lab.entry, lab.source_line, most_code_lines);
    code.line = view.line;
    code.lines = std::move(view.lines);
    code.decoded = view.decoded;
    code.columns.push_back(column_of(lab, CodeKind::sass, "sass", std::move(view.sass)));
    code.columns.back().name = level.name;
  }
  return {"", 1, std::move(code)};
}

Panel fates_panel(const CompiledLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("line"), 1, true, true}, {lab.word("ptx"), 1.5}, {lab.word("became"), 1}};
  const auto chosen = static_cast<std::size_t>(lab.fate - lab.fates.data());
  const std::size_t from = window_start(chosen, lab.fates.size(), rows_before);
  for (std::size_t i = from; i < std::min(from + table_rows, lab.fates.size()); ++i) {
    const PtxFate& fate = lab.fates[i];
    const std::string text = fate.line <= lab.ptx_text.size() ? lab.ptx_text[fate.line - 1] : "";
    table.rows.push_back(
        {{number_cell(fate.line, Tone::quiet), code_cell(text), word_cell(fate_text(lab, fate), tone_of(fate.kind))},
         i == chosen});
    table.rows.back().sets = {{control_name("ptx"), static_cast<double>(fate.line)}};
  }
  return {"", 1.6, std::move(table)};
}

Panel machine_code_panel(const CompiledLab& lab) {
  CodeWindow window;
  const std::vector<std::uint32_t> lit = lab.shown_sass();
  for (std::size_t i = 0; i < lab.kernel->code.size(); ++i) {
    CodeLine line;
    line.number = static_cast<std::int64_t>(i * sass::instruction_bytes);
    line.text = lab.kernel->text(i);
    line.source_line = lab.ptx_lines[i];
    line.lit = std::ranges::binary_search(lit, static_cast<std::uint32_t>(i));
    window.lines.push_back(std::move(line));
  }
  window.all_lines = std::ssize(window.lines);
  window.lit_lines = std::ssize(lit);
  if (!lit.empty()) window.focus = lit.front();
  CodePicture code;
  code.control = control_name("ptx");
  code.line = lit.empty() ? 0 : lab.ptx_lines[lit.front()];
  code.decoded = true;
  for (const PtxFate& fate : lab.fates)
    if (code.lines.empty() || fate.line > code.lines.back()) code.lines.push_back(fate.line);
  code.columns.push_back(column_of(lab, CodeKind::sass, "sass", std::move(window)));
  return {"", 1, std::move(code)};
}

Panel control_codes_panel(const CompiledLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("address"), 1, true, true}, {lab.word("sass"), 1}};
  for (const std::string_view head : {"stall", "yield", "wait", "write", "read", "reuse"})
    table.columns.push_back({lab.word(head), 1, true, true});
  const std::vector<sass::BarrierSetter> setters =
      sass::awaited(lab.kernel->code, lab.flow, static_cast<std::uint32_t>(lab.instruction));
  // The instruction that it waits for stays in sight if it is near.
  const auto nearest = lab.awaited_by(lab.instruction);
  const std::size_t distance = nearest ? lab.instruction - *nearest : 0;
  const std::size_t from = window_start(lab.instruction, lab.kernel->code.size(),
                                        distance < 9 ? std::max(distance + 1, rows_before) : rows_before);
  for (std::size_t i = from; i < std::min(from + table_rows, lab.kernel->code.size()); ++i) {
    TableRow& row = table.rows.emplace_back();
    row.cells = {code_cell(instruction_address_text(i), Tone::quiet), code_cell(lab.kernel->text(i))};
    row.followed = i == lab.instruction;
    row.sets = {{control_name("instruction"), static_cast<double>(i)}};
    const auto* const one = std::get_if<sass::Instruction>(&lab.kernel->code[i]);
    if (one == nullptr) continue;
    const sass::Control& control = one->control;
    const auto barrier = [](std::uint8_t number) {
      return number < dependence_barriers ? fmt::to_string(number) : std::string("–");
    };
    std::string waits;
    for (std::uint8_t b = 0; b < dependence_barriers; ++b)
      if ((control.wait_mask >> b & 1) != 0) waits += (waits.empty() ? "" : " ") + fmt::to_string(b);
    const bool reuses = std::ranges::any_of(one->operands, &sass::Operand::reuse);
    // The barriers that the chosen instruction waits for.
    const auto tone = [&](bool on_write) {
      const bool awaited = std::ranges::any_of(setters, [&](const sass::BarrierSetter& setter) {
        return setter.instruction == i && i != lab.instruction && setter.on_write == on_write;
      });
      return awaited ? Tone::barrier : Tone::plain;
    };
    row.cells.push_back(number_cell(control.stall));
    row.cells.push_back(code_cell(control.yield ? lab.word("yes") : "–"));
    row.cells.push_back(code_cell(waits.empty() ? "–" : waits, i == lab.instruction ? Tone::barrier : Tone::plain));
    row.cells.push_back(code_cell(barrier(control.write_barrier), tone(true)));
    row.cells.push_back(code_cell(barrier(control.read_barrier), tone(false)));
    row.cells.push_back(code_cell(reuses ? lab.word("yes") : "–"));
  }
  return {"", 3, std::move(table)};
}

Panel control_words_panel(const CompiledLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("control_codes"), 1, false, false, true}};
  const std::string text = lab.kernel->text(lab.instruction);
  const InstructionWords words = instruction_words(lab.input.narration, text);
  if (!words.does.empty()) table.rows.push_back({{word_cell(words.does, Tone::quiet)}, false});
  for (std::string& sentence : control_sentences(lab.input.narration, *lab.kernel, lab.flow, lab.instruction, true))
    table.rows.push_back({{word_cell(std::move(sentence))}, false});
  return {fmt::format("{}  {}", instruction_address_text(lab.instruction), text.substr(0, text.find(' '))), 1,
          std::move(table)};
}

}  // namespace warpwalk::story
