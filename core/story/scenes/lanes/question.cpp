// The questions of the scene: the number of sectors, the latency of memory, the number of passes over the banks, the
// number of lanes that take a side of a branch.
#include <algorithm>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/pictures/hide.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

// What the lanes begin with: the results, the sectors and the banks are left out.
void show_lanes(const LanesSubject& s, Stage& stage) {
  PanelPicture picture = warp_picture(s);
  hide_values(picture);
  auto shown = std::make_shared<Panels>();
  shown->rows.emplace_back().panels.push_back({"", 1, std::move(picture)});
  stage.picture = std::shared_ptr<const Panels>(std::move(shown));
}

// Half of the lanes with what the instruction reads; without its result.
std::optional<Panel> operands(const LanesSubject& s, std::size_t first, double share) {
  std::vector<LaneRegister> registers = lane_registers(s);
  std::erase_if(registers, [](const LaneRegister& one) { return one.written; });
  if (registers.empty()) return {};
  TablePicture table;
  table.columns.push_back({s.input.narration.text("lanes.word", "lane"), 1, true, true});
  for (const LaneRegister& one : registers) table.columns.push_back({one.name, 1, true});
  // Values stay near their lane.
  constexpr std::size_t usual_columns = 4;
  while (table.columns.size() < usual_columns) table.columns.push_back({"", 1});
  for (std::size_t lane = first; lane < first + 16; ++lane) {
    TableRow row;
    row.cells.push_back(number_cell(static_cast<std::int64_t>(lane), Tone::work));
    for (const LaneRegister& one : registers) {
      TableCell cell = word_cell(one.values[lane]);
      cell.code = true;
      row.cells.push_back(std::move(cell));
    }
    while (row.cells.size() < table.columns.size()) row.cells.push_back(word_cell(""));
    table.rows.push_back(std::move(row));
  }
  return Panel{"", share, std::move(table)};
}

void add_operands(const LanesSubject& s, double share, PanelRow& row) {
  for (const std::size_t first : {std::size_t{0}, std::size_t{16}})
    if (auto panel = operands(s, first, share)) row.panels.push_back(std::move(*panel));
}

constexpr LanesView any_view = {.any_instruction = true};

// The comparison before a branch, on the lanes' own values.
void add_comparison(const LanesSubject& s, PanelRow& row) {
  const gpu::Issue* compare = nullptr;
  for (const gpu::Issue* const issue : s.neighbours) {
    if (issue == s.issue) break;
    const std::string text = instruction_text(s.travel, s.history, issue->what.instruction).text;
    if (text.find("SETP") != std::string::npos || text.find("setp") != std::string::npos) compare = issue;
  }
  if (compare == nullptr) return;
  SceneInput at = s.input;
  at.cycle = compare->what.cycle;
  at.controls.set("lanes.warp", s.slot);
  const LanesSubject before = lanes_subject(at, any_view);
  if (before.issue != nullptr && before.issue->what.cycle == compare->what.cycle) add_operands(before, 0.7, row);
}

// The way to the branch, up to the instruction in question.
Panel way(const LanesSubject& s) {
  CodePicture picture;
  CodePicture::Column column;
  column.kind = s.travel.program().machine_code ? CodeKind::sass : CodeKind::ptx;
  column.name = s.input.narration.text("lanes.word", "issued_code");
  for (const gpu::Issue* const issue : s.neighbours) {
    InstructionText text = instruction_text(s.travel, s.history, issue->what.instruction);
    const bool here = issue == s.issue;
    if (here) column.window.focus = column.window.lines.size();
    column.window.lines.push_back({text.number, std::move(text.text), 0, here});
    if (here) break;
  }
  column.window.all_lines = static_cast<std::int64_t>(column.window.lines.size());
  column.window.lit_lines = 1;
  picture.decoded = column.kind == CodeKind::sass;
  picture.columns.push_back(std::move(column));
  return {s.input.narration.text("lanes.word", "code"), 1.2, std::move(picture)};
}

// "A tile is 16 columns wide, and the result has 328: 20 x 16 + 8." for a block whose tile leaves the result, if blocks
// take the tiles in order. Empty for others, and where the kernel computes no product in tiles.
std::string edge_of_tile(const LanesSubject& s) {
  const auto product = matrix_product(s.input.trace, s.input.walk);
  if (!product || product->rule == MatrixProduct::Rule::columns_first) return {};
  const auto block = static_cast<std::int64_t>(s.issue->what.warp.block);
  const bool columns = (block % product->across + 1) * product->tile_columns > product->n;
  const bool rows = (block / product->across + 1) * product->tile_rows > product->m;
  if (!columns && !rows) return {};
  const std::int64_t tile = columns ? product->tile_columns : product->tile_rows;
  const std::int64_t all = columns ? product->n : product->m;
  return " " + s.input.narration.text("lanes.ask.diverge", columns ? "columns" : "rows",
                                      {{"tile", with_thousands(tile)},
                                       {"all", with_thousands(all)},
                                       {"whole", with_thousands(all / tile)},
                                       {"rest", with_thousands(all % tile)}});
}

std::string about(const LanesSubject& s) {
  const gpu::IssuedInstruction& what = s.issue->what;
  return fmt::format("sm {} slot {} cycle {}", s.sm, what.warp.slot, what.cycle);
}

// Asked beside what the lanes begin with.
Ask asked_of(const LanesSubject& s, std::string_view key, Options options, Narration::Values values = {},
             std::vector<std::string_view> facts = {"instruction", "warp", "cycle", "active", "stand_in"}) {
  return {
      std::string(key), about(s), std::move(options), std::move(facts), [&s](Stage& stage) { show_lanes(s, stage); },
      std::move(values)};
}

}  // namespace

// The result of one lane, among other lanes' results and its own operands: a lane whose result is none of its operands.
std::optional<Ask> lanes_question(const LanesSubject& s) {
  if (!s.found() || s.product) return {};  // its elements lie spread over the lanes
  const std::vector<LaneRegister> registers = lane_registers(s);
  const auto result =
      std::ranges::find_if(registers, [](const LaneRegister& one) { return one.written && one.name.starts_with('R'); });
  if (result == registers.end() || s.access != nullptr) return {};
  const auto is_operand = [&](std::size_t lane) {
    return std::ranges::any_of(
        registers, [&](const LaneRegister& one) { return !one.written && one.values[lane] == result->values[lane]; });
  };
  const auto telling = [&](std::size_t lane) {
    return (s.issue->what.executing >> lane & 1) != 0 && !is_operand(lane);
  };
  // The followed number's lane, which is marked, if its result tells.
  auto lane = static_cast<std::size_t>(number_lane(s).value_or(0));
  if (!telling(lane)) lane = 0;
  while (lane < 32 && !telling(lane)) ++lane;
  if (lane == 32) return {};
  constexpr std::size_t most_options = 4;
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> offered = {
      {result->values[lane], {"", ""}}};  // each with the key of its reason and the register or lane
  const auto add = [&](const std::string& value, std::string_view key, const std::string& of) {
    if (offered.size() < most_options &&
        std::ranges::none_of(offered, [&](const auto& one) { return one.first == value; }))
      offered.push_back({value, {std::string(key), of}});
  };
  std::string operands_text;
  for (const LaneRegister& one : registers) {
    if (one.written) continue;
    if (one.name.starts_with('R')) add(one.values[lane], "operand", one.name);
    operands_text += fmt::format("{}{} = {}", operands_text.empty() ? "" : ", ", one.name, one.values[lane]);
  }
  for (std::size_t other = lane + 1; other < 32; ++other) add(result->values[other], "lane", fmt::to_string(other));
  if (operands_text.empty() || offered.size() < 3) return {};
  const std::string right = offered.front().first;
  std::ranges::sort(offered);
  Options options;
  for (auto& [value, reason] : offered) {
    if (value == right) options.right = options.words.size();
    options.words.push_back(value);
    options.keys.push_back(reason.first);
    options.values.push_back({{"of", reason.second}});
  }
  return asked_of(s, "lanes", std::move(options),
                  {{"lane", std::to_string(lane)}, {"operands", operands_text}, {"register", result->name}});
}

std::optional<Ask> fold_question(const LanesSubject& s) {
  if (!s.found() || s.space() != LanesAccess::global) return {};
  return asked_of(s, "fold",
                  number_options(s.input.narration, "sector", fold_of(*s.access).sectors, {1, 2, 4, 8, 16, 32}));
}

std::optional<Ask> trip_question(const LanesSubject& s) {
  if (!s.found() || s.space() != LanesAccess::global || !s.result) return {};
  return asked_of(s, "trip",
                  range_options(s.input.narration, static_cast<double>(*s.result - s.issue->what.cycle),
                                {100, 300, 600, 1000}, s.input.narration.text("question.range", "cycles")),
                  {}, {"instruction", "warp", "cycle", "active", "lines", "sectors", "stand_in"});
}

std::optional<Ask> banks_question(const LanesSubject& s) {
  if (!s.found() || s.space() != LanesAccess::shared) return {};
  const int passes = gpu::wavefronts_of(s.access->at.data(), s.access->mask, s.access->bytes, s.access->writes).passes;
  return asked_of(s, "banks", number_options(s.input.narration, "wavefront", passes, {1, 2, 4, 8, 16, 32}));
}

std::optional<Ask> diverge_question(const LanesSubject& s) {
  if (!s.found() || std::popcount(s.issue->what.executing) == 32) return {};
  return Ask{"diverge",
             about(s),
             number_options(s.input.narration, "lane", std::popcount(s.issue->what.executing), {1, 8, 16, 24, 32}),
             {"instruction", "warp", "stand_in"},
             [&s](Stage& stage) {
               auto shown = std::make_shared<Panels>();
               PanelRow& row = shown->rows.emplace_back();
               row.panels.push_back(way(s));
               add_comparison(s, row);
               stage.picture = std::shared_ptr<const Panels>(std::move(shown));
             },
             {{"tile", edge_of_tile(s)}}};
}

}  // namespace warpwalk::story
