// The 32 lanes of a warp, and the registers and calls of one of them.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include <fmt/format.h>

#include "core/analysis/names/kernel_name.h"
#include "core/sass/analysis/register_use.h"
#include "core/story/scenes/crash/crash.h"

namespace warpwalk::story {
namespace {

constexpr unsigned lanes_of_warp = 32;
constexpr std::size_t lane_columns = 8, most_calls = 12;

Tone tone_of_lane(LaneState state) {
  switch (state) {
    case LaneState::failed: return Tone::refused;
    case LaneState::suspect: return Tone::shared;
    case LaneState::active: return Tone::work;
    case LaneState::waiting: return Tone::barrier;
    case LaneState::exited:
    case LaneState::none: break;
  }
  return Tone::quiet;
}

std::string_view lane_state_key(LaneState state) {
  switch (state) {
    case LaneState::failed: return "lane_failed";
    case LaneState::suspect: return "lane_suspect";
    case LaneState::active: return "lane_active";
    case LaneState::waiting: return "lane_waiting";
    case LaneState::exited: return "lane_exited";
    case LaneState::none: break;
  }
  return "lane_none";
}

const crash::DumpLane* lane_at(const crash::DumpWarp& warp, unsigned number) {
  const auto found = std::ranges::find(warp.lanes, number, &crash::DumpLane::lane);
  return found == warp.lanes.end() ? nullptr : &*found;
}

/// The address that a lane of the failed warp accessed.
std::optional<std::uint64_t> accessed_by(const CrashScene& s, unsigned number) {
  if (s.failure() == nullptr) return {};
  for (const crash::LaneAccess& access : s.failure()->accesses)
    if (access.lane->lane == number) return access.address;
  return {};
}

CellGrid lane_cells(const CrashScene& s) {
  CellGrid cells;
  cells.columns = lane_columns;
  cells.fitted = true;
  cells.control = "crash.lane";
  cells.followed = s.lane_number;
  std::array<bool, 6> seen{};
  bool addresses = false;
  for (unsigned number = 0; number < lanes_of_warp; ++number) {
    const LaneState state = s.state_of(*s.warp, number);
    const crash::DumpLane* const lane = lane_at(*s.warp, number);
    const auto address = accessed_by(s, number);
    Cell& cell = cells.cells.emplace_back();
    cell.tone = tone_of_lane(state);
    cell.label = fmt::format("{:>2}", number);
    addresses = addresses || address;
    if (address) cell.label += "  " + words::address_text(*address);
    cell.tip = s.word("lane_tip", {{"lane", std::to_string(number)},
                                   {"thread", lane == nullptr ? "–" : words::extent_text(lane->thread)},
                                   {"state", s.word(lane_state_key(state))}});
    if (address) cell.tip += ", " + words::address_text(*address);
    seen[static_cast<std::size_t>(state)] = true;
  }
  for (const LaneState state : {LaneState::failed, LaneState::suspect, LaneState::active, LaneState::waiting})
    if (seen[static_cast<std::size_t>(state)])
      cells.legend.emplace_back(tone_of_lane(state), s.word(lane_state_key(state)));
  const bool exited = seen[static_cast<std::size_t>(LaneState::exited)];
  const bool none = seen[static_cast<std::size_t>(LaneState::none)];
  if (exited || none)
    cells.legend.emplace_back(Tone::quiet, s.word(exited && none ? "lane_gone" : exited ? "lane_exited" : "lane_none"));
  if (addresses) cells.note = s.word("lane_addresses");
  for (std::size_t state = 0; state < seen.size(); ++state) {
    std::uint32_t mask = 0;
    for (unsigned number = 0; number < lanes_of_warp; ++number)
      if (static_cast<std::size_t>(s.state_of(*s.warp, number)) == state) mask |= std::uint32_t{1} << number;
    if (mask == 0) continue;
    cells.summary += (cells.summary.empty() ? "" : "; ") +
                     s.word("lane_summary", {{"lanes", lanes_text(mask)},
                                             {"state", s.word(lane_state_key(static_cast<LaneState>(state)))}});
  }
  return cells;
}

/// Where the lanes of the warp are: those at one instruction share a row.
TablePicture lane_places(const CrashScene& s) {
  TablePicture table;
  table.columns = {{s.word("column_lanes"), 1, false, true},        {s.word("column_threads_of"), 1, false, true},
                   {s.word("column_line"), 1, false, true},         {s.word("column_offset"), 1, false, true},
                   {s.word("column_instruction"), 2, false, false}, {s.word("column_state"), 2, false, false, true}};
  std::map<std::uint64_t, std::uint32_t> places;
  for (const crash::DumpLane& lane : s.warp->lanes)
    if (lane.lane < lanes_of_warp && (s.warp->valid_lanes >> lane.lane & 1) != 0)
      places[lane.pc] |= std::uint32_t{1} << lane.lane;
  for (const auto& [pc, mask] : places) {
    auto place = s.code().at(pc);
    std::string state = s.word("lanes_next");
    Tone tone = Tone::plain;
    if (const crash::Wait* const wait = s.wait_of(s.warp_number(), pc)) {
      place = wait->place;
      state = s.wait_text(*wait);
      tone = Tone::barrier;
    }
    if (const crash::Crash* const failed = s.failure()) {
      const bool here = std::ranges::any_of(
          failed->lanes, [&](const crash::LaneAccess& access) { return (mask >> access.lane->lane & 1) != 0; });
      if (here) {
        state = s.word(failed->pc_is_exact ? "stopped_after" : "stopped_here");
        tone = Tone::refused;
      }
    }
    const auto lanes = crash::lanes_of(*s.warp, mask);
    TableRow row;
    row.cells = {recorded_cell(lanes_text(mask)),
                 recorded_cell(lanes.size() == 1 ? words::extent_text(lanes.front()->thread)
                                                 : fmt::format("{} – {}", words::extent_text(lanes.front()->thread),
                                                               words::extent_text(lanes.back()->thread))),
                 recorded_cell(s.line_name(place)),
                 recorded_cell(s.offset_text(place, pc)),
                 recorded_cell(s.instruction_text(place)),
                 word_cell(std::move(state), tone)};
    row.followed = (mask >> s.lane_number & 1) != 0;
    row.sets = {{"crash.lane", lanes.front()->lane}};
    table.rows.push_back(std::move(row));
  }
  return table;
}

CellGrid register_cells(const CrashScene& s) {
  constexpr std::size_t few = 64;
  CellGrid cells;
  cells.fitted = true;
  const std::size_t count = s.lane->registers.size();
  cells.columns = count <= few ? 8 : 10;
  const auto place = s.place();
  const sass::Instruction* const instruction = place ? place->instruction() : nullptr;
  sass::RegisterUse use;
  if (instruction != nullptr) use = sass::register_use(*instruction);
  bool reads = false, writes = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t value = s.lane->registers.at(i).value_or(0);
    Cell& cell = cells.cells.emplace_back();
    cell.label = fmt::format("R{:<3} {:08x}", i, value);
    cell.tip = fmt::format("R{} = {:#010x} = {} = {:g}", i, value, static_cast<std::int32_t>(value),
                           static_cast<double>(std::bit_cast<float>(value)));
    const bool read = i < use.reads.general.size() && use.reads.general.test(i);
    const bool written = i < use.writes.general.size() && use.writes.general.test(i);
    cell.tone = read ? Tone::memory : written ? Tone::work : Tone::plain;
    reads = reads || read;
    writes = writes || (written && !read);
  }
  if (reads) cells.legend.emplace_back(Tone::memory, s.word("register_read"));
  if (writes) cells.legend.emplace_back(Tone::work, s.word("register_written"));
  cells.summary = s.word("registers_summary", {{"count", std::to_string(count)}});
  return cells;
}

CellGrid predicate_cells(const CrashScene& s) {
  CellGrid cells;
  cells.fitted = true;
  const auto add = [&](char letter, std::size_t i, std::uint32_t value) {
    Cell& cell = cells.cells.emplace_back();
    cell.label = fmt::format("{}{} {}", letter == 'U' ? "UP" : "P", i, value != 0 ? 1 : 0);
    cell.tip = s.word(value != 0 ? "predicate_true" : "predicate_false",
                      {{"name", cell.label.substr(0, cell.label.find(' '))}});
    cell.tone = value != 0 ? Tone::work : Tone::quiet;
  };
  for (std::size_t i = 0; i < sass::true_predicate && i < s.lane->predicates.size(); ++i)
    add('P', i, s.lane->predicates.at(i).value_or(0));
  cells.columns = std::max<std::size_t>(cells.cells.size(), 1);
  cells.legend = {{Tone::work, s.word("true")}, {Tone::quiet, s.word("false")}};
  for (const Cell& cell : cells.cells) cells.summary += (cells.summary.empty() ? "" : ", ") + cell.label;
  return cells;
}

TablePicture call_stack(const CrashScene& s) {
  TablePicture table;
  table.columns = {{s.word("column_call"), 1, true, true},
                   {s.word("column_function"), 1, false, true},
                   {s.word("column_line"), 1, false, true},
                   {s.word("column_text"), 3, false, false}};
  table.least_rows = 3;
  const auto add = [&](std::size_t level, const std::optional<crash::CodePlace>& place, std::uint64_t pc) {
    TableRow row;
    row.cells = {
        recorded_cell(std::to_string(level)),
        recorded_cell(place ? analysis::read_kernel_name(place->function_name()).function : words::address_text(pc)),
        recorded_cell(s.line_name(place)), code_cell(s.line_text(place))};
    row.followed = level == 0;
    table.rows.push_back(std::move(row));
  };
  add(0, s.place(), s.lane->pc);
  for (std::size_t i = 0; i < std::min(s.lane->frames.size(), most_calls); ++i) {
    // The return address is that of the instruction after the call.
    const std::uint64_t call = s.lane->frames[i].return_address - sass::instruction_bytes;
    add(i + 1, s.code().at(call), call);
  }
  if (s.lane->frames.size() > most_calls) {
    TableRow row;
    row.cells = {
        word_cell(""),
        word_cell(s.word("more_calls",
                         {{"count", with_thousands(static_cast<std::int64_t>(s.lane->frames.size() - most_calls))}}),
                  Tone::quiet),
        word_cell(""), word_cell("")};
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<PanelRow> lanes_rows(const CrashScene& s) {
  std::vector<PanelRow> rows;
  rows.push_back({1.2, {{s.word("head_lanes"), 1, lane_cells(s)}}});
  rows.push_back({1, {{s.word("head_places"), 1, lane_places(s)}}, true});
  return rows;
}

std::vector<PanelRow> registers_rows(const CrashScene& s) {
  std::vector<PanelRow> rows;
  if (s.lane == nullptr) return rows;
  if (s.lane->registers.size() > 0)
    rows.push_back({s.lane->registers.size() > 32 ? 2.2 : 1.2, {{s.word("head_registers"), 1, register_cells(s)}}});
  if (s.lane->predicates.size() > 0) rows.push_back({0.6, {{s.word("head_predicates"), 1, predicate_cells(s)}}});
  rows.push_back({1, {{s.word("head_calls"), 1, call_stack(s)}}, true});
  return rows;
}

}  // namespace warpwalk::story
