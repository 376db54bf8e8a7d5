// The blocks that were on the GPU, and the warps of one SM.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/story/scenes/crash/crash.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t most_block_cells = 4096;
constexpr std::size_t sm_columns = 12, widest_grid = 64, most_labels = 256;

bool is_failed_block(const CrashScene& s, const crash::DumpBlock* block) {
  return s.any_failure() != nullptr && s.any_failure()->thread.block == block;
}

CellGrid blocks_of_grid(const CrashScene& s) {
  CellGrid cells;
  const std::uint64_t all = s.grid == nullptr ? 0 : blocks_of(*s.grid);
  std::map<std::uint64_t, std::size_t> at;  // numbers of blocks in their grid, to `residents`
  for (std::size_t i = 0; i < s.residents.size(); ++i) {
    if (s.residents[i].block->grid != s.resident().block->grid) continue;
    const crash::Extent3& block = s.residents[i].block->block;
    const std::uint64_t number =
        s.grid == nullptr
            ? i
            : block[0] + std::uint64_t{s.grid->grid[0]} * (block[1] + std::uint64_t{s.grid->grid[1]} * block[2]);
    at.emplace(number, i);
  }
  bool away = false, failed = false;
  const auto add = [&](std::uint64_t number) {
    Cell& cell = cells.cells.emplace_back();
    cell.tone = Tone::quiet;
    const auto here = at.find(number);
    if (here == at.end()) {
      cell.tip = s.word("block_away", {{"number", with_thousands(static_cast<std::int64_t>(number))}});
      away = true;
      return;
    }
    const ResidentBlock& one = s.residents[here->second];
    cell.tone = is_failed_block(s, one.block) ? Tone::refused : Tone::work;
    failed = failed || cell.tone == Tone::refused;
    if (all <= most_labels) cell.label = s.word("sm_number", {{"sm", std::to_string(one.sm->sm)}});
    cell.tip = s.word("block_here", {{"block", words::extent_text(one.block->block)},
                                     {"sm", std::to_string(one.sm->sm)},
                                     {"warps", std::to_string(one.block->warps.size())}});
    cell.sets.emplace_back("crash.block", static_cast<double>(here->second));
    if (here->second == s.chosen) cells.followed = cells.cells.size() - 1;
  };
  if (all > 0 && all <= most_block_cells) {
    for (std::uint64_t number = 0; number < all; ++number) add(number);
    cells.columns = s.grid->grid[0] <= widest_grid ? s.grid->grid[0] : widest_grid;
    if (all <= most_labels) cells.columns = std::min<std::size_t>(cells.columns, 16);
  } else {
    for (const auto& [number, resident] : at) add(number);
    cells.columns = std::min<std::size_t>(widest_grid, std::max<std::size_t>(at.size(), 1));
    cells.note = s.word("only_residents");
  }
  cells.fitted = all > 0 && all <= most_labels;
  cells.legend = {{Tone::work, s.word("legend_resident")}};
  if (failed) cells.legend.insert(cells.legend.begin(), {Tone::refused, s.word("legend_failed")});
  if (away) cells.legend.emplace_back(Tone::quiet, s.word("legend_away"));
  cells.summary = s.word("blocks_summary", {{"here", std::to_string(at.size())}, {"all", std::to_string(all)}});
  return cells;
}

CellGrid sms_of_device(const CrashScene& s) {
  CellGrid cells;
  cells.columns = sm_columns;
  cells.fitted = true;
  const crash::DumpDevice& device = *s.resident().device;
  std::map<std::uint32_t, std::size_t> blocks;
  for (const ResidentBlock& one : s.residents)
    if (one.device == &device) ++blocks[one.sm->sm];
  const std::uint32_t count = std::max(device.sm_count, blocks.empty() ? 0 : blocks.rbegin()->first + 1);
  for (std::uint32_t sm = 0; sm < std::min<std::uint32_t>(count, 1024); ++sm) {
    Cell& cell = cells.cells.emplace_back();
    cell.label = std::to_string(sm);
    const auto here = blocks.find(sm);
    cell.tone = Tone::quiet;
    cell.tip = s.word(here == blocks.end() ? "sm_idle"
                      : here->second == 1  ? "sm_block"
                                           : "sm_blocks",
                      {{"sm", cell.label}, {"count", std::to_string(here == blocks.end() ? 0 : here->second)}});
    if (sm == s.resident().sm->sm) cells.followed = cells.cells.size() - 1;
    if (here == blocks.end()) continue;
    cell.tone = s.any_failure() != nullptr && s.any_failure()->sm == sm && s.any_failure()->thread.device == &device
                    ? Tone::refused
                    : Tone::work;
    cell.sets.emplace_back("crash.sm", sm);
  }
  cells.summary = s.word("sms_summary", {{"here", std::to_string(blocks.size())}, {"all", std::to_string(count)}});
  return cells;
}

TablePicture grids_table(const CrashScene& s) {
  TablePicture table;
  table.columns = {{s.word("column_kernel"), 2, false, false}, {s.word("column_grid"), 1, false, false},
                   {s.word("column_block"), 1, false, false},  {s.word("column_cluster"), 1, false, false},
                   {s.word("column_registers"), 1, true},      {s.word("column_resident"), 1, true}};
  table.least_rows = 2;
  for (const crash::DumpGrid& grid : s.resident().device->grids) {
    const auto here = std::ranges::count_if(s.residents, [&](const ResidentBlock& one) {
      return one.block->grid == grid.id && one.device == s.resident().device;
    });
    TableRow row;
    const bool clusters = grid.cluster && (*grid.cluster)[0] != 0;
    row.cells = {recorded_cell(s.kernel_of(&grid).name),
                 recorded_cell(words::extent_text(grid.grid)),
                 recorded_cell(words::extent_text(grid.block)),
                 clusters ? recorded_cell(words::extent_text(*grid.cluster)) : word_cell("–", Tone::quiet),
                 recorded_cell(std::to_string(grid.registers)),
                 computed_cell(s.word("of", {{"here", with_thousands(here)},
                                             {"all", with_thousands(static_cast<std::int64_t>(blocks_of(grid)))}}),
                               s.formula("resident"))};
    row.followed = &grid == s.grid;
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The rows of one block's warps; those of a block that was chosen can be followed.
void add_warps(const CrashScene& s, std::size_t resident, TablePicture& table) {
  const ResidentBlock& one = s.residents[resident];
  const crash::DumpGrid* const grid = s.grid_of(one);
  const auto waits = crash::waits_of_block(s.dump, s.report.codes, *one.device, *one.sm, *one.block);
  for (std::size_t w = 0; w < one.block->warps.size(); ++w) {
    const crash::DumpWarp& warp = one.block->warps[w];
    const std::uint32_t number = grid == nullptr ? warp.warp : crash::warp_in_block(warp, grid->block);
    const crash::Crash* const failed = s.any_failure();
    std::optional<crash::CodePlace> place;
    std::uint64_t pc = 0;
    if (failed != nullptr && failed->thread.warp == &warp) {
      place = failed->place;
      pc = failed->pc;
    } else {
      const auto active = crash::lanes_of(warp, warp.active_lanes);
      const crash::DumpLane* const lane = !active.empty()      ? active.front()
                                          : warp.lanes.empty() ? nullptr
                                                               : &warp.lanes.front();
      if (lane != nullptr) {
        pc = lane->pc;
        place = s.report.code_of(*one.device).at(pc);
      }
      for (const crash::Wait& wait : waits)
        if (lane != nullptr && wait.thread.lane->pc == lane->pc) place = wait.place;
    }
    TableRow row;
    row.cells = {recorded_cell(words::extent_text(one.block->block)),
                 recorded_cell(std::to_string(number)),
                 recorded_cell(std::to_string(warp.warp)),
                 recorded_cell(lanes_text(warp.valid_lanes)),
                 recorded_cell(s.line_name(place)),
                 recorded_cell(s.offset_text(place, pc)),
                 recorded_cell(s.instruction_text(place)),
                 s.state_cell(warp, number, waits)};
    row.followed = &warp == s.warp;
    row.sets = {{"crash.block", static_cast<double>(resident)}, {"crash.warp", static_cast<double>(w)}};
    table.rows.push_back(std::move(row));
  }
}

}  // namespace

std::vector<PanelRow> blocks_rows(const CrashScene& s) {
  std::vector<PanelRow> rows;
  rows.push_back({2.2, {{s.word("head_blocks"), 1, blocks_of_grid(s)}, {s.word("head_sms"), 1, sms_of_device(s)}}});
  rows.push_back({1, {{s.word("head_grids"), 1, grids_table(s)}}, true});
  return rows;
}

std::vector<PanelRow> warps_rows(const CrashScene& s) {
  constexpr std::size_t least_warps = 12;
  TablePicture table;
  table.columns = {{s.word("column_block"), 1, false, true},        {s.word("column_warp"), 1, true, true},
                   {s.word("column_slot"), 1, true, true},          {s.word("column_lanes"), 1, false, true},
                   {s.word("column_line"), 1, false, true},         {s.word("column_offset"), 1, false, true},
                   {s.word("column_instruction"), 2, false, false}, {s.word("column_state"), 2, false, false, true}};
  table.least_rows = least_warps;
  add_warps(s, s.chosen, table);
  for (std::size_t i = 0; i < s.residents.size(); ++i)
    if (i != s.chosen && s.residents[i].sm == s.resident().sm) add_warps(s, i, table);
  std::vector<PanelRow> rows;
  rows.push_back(
      {1, {{s.word("head_warps", {{"sm", std::to_string(s.resident().sm->sm)}}), 1, std::move(table)}}, true});
  return rows;
}

}  // namespace warpwalk::story
