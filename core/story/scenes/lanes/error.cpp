// An error that the sanitizer found: the lane, its address, and other accesses to these bytes.
#include <algorithm>
#include <bit>

#include "core/run/replay/history.h"
#include "core/story/scenes/lanes/lanes.h"

namespace warpwalk::story {
namespace {

// Cycles after the start of a block in which its error is looked for.
constexpr std::int64_t searched_after_start = 100'000;
// A warp is on its SM soon after its block has started, and a line is executed soon after its first instruction.
constexpr std::int64_t arrival = 2048;

bool at_its_line(const gpu::Finding& finding, const InstructionText& text) {
  return finding.source_line != 0 ? text.source_line == finding.source_line : text.number == finding.ptx_line;
}

// The issues of the warp at the error's line, from the start of its block on.
std::vector<gpu::Issue> issues_of(run::TimeTravel& travel, const run::History& history, const gpu::Finding& finding,
                                  std::uint16_t sm, std::int64_t start, const gpu::WarpPlace& warp) {
  const auto life = travel.life(sm, warp, start, start + searched_after_start);
  const auto here = [&](const gpu::IssuedInstruction& issue) {
    return at_its_line(finding, instruction_text(travel, history, issue.instruction));
  };
  const auto first = std::ranges::find_if(life->issues, here);
  if (first == life->issues.end()) return {};
  // One line is a few instructions.
  const auto window = travel.window(sm, first->cycle, first->cycle + arrival);
  std::vector<gpu::Issue> found;
  for (const gpu::Issue& issue : window->issues)
    if (issue.what.warp == warp && here(issue.what)) found.push_back(issue);
  return found;
}

bool overlaps(const gpu::LoggedAccess& access, int lane, std::uint64_t from, std::uint64_t bytes) {
  const std::uint64_t at = access.at[static_cast<std::size_t>(lane)];
  return (access.mask >> lane & 1) != 0 && at < from + bytes && at + access.bytes > from;
}

}  // namespace

const gpu::Finding* first_error(const run::History& history) {
  return history.simulation.findings.empty() ? nullptr : &history.simulation.findings.front();
}

std::optional<ErrorPlace> place_of_error(run::TimeTravel& travel, const run::History& history,
                                         const gpu::Finding& finding) {
  const ErrorThread thread = thread_of(history, finding);
  const std::uint64_t block = thread.block;
  if (block >= travel.timing().sm.size()) return {};
  ErrorPlace place;
  place.sm = static_cast<std::uint16_t>(travel.timing().sm[block]);
  place.lane = thread.lane;
  const auto start = block_start(travel, place.sm, block);
  if (!start) return {};
  const auto arrived = travel.window(place.sm, *start, *start + arrival);
  const auto row = std::ranges::find_if(arrived->warps, [&](const gpu::WarpRow& one) {
    return one.place.block == block && one.place.warp == thread.warp;
  });
  if (row == arrived->warps.end()) return {};
  place.warp = row->place;
  const std::vector<gpu::Issue> issues = issues_of(travel, history, finding, place.sm, *start, place.warp);
  if (issues.empty()) return {};
  const auto lane = static_cast<std::size_t>(place.lane);
  const auto accesses = [&](const gpu::Issue& issue) { return !issue.accesses.empty(); };
  const auto there = [&](const gpu::Issue& issue) {
    return accesses(issue) && finding.address && issue.accesses.front().at[lane] == *finding.address;
  };
  auto best = std::ranges::find_if(issues, there);
  if (best == issues.end()) best = std::ranges::find_if(issues, accesses);
  if (best == issues.end()) best = issues.begin();
  place.cycle = best->what.cycle;
  return place;
}

bool makes_error(const LanesSubject& s, const gpu::Finding& finding) {
  const auto lane = static_cast<std::size_t>(thread_of(s.history, finding).lane);
  if ((s.issue->what.executing >> lane & 1) == 0) return false;
  return s.access == nullptr || !finding.address || s.access->at[lane] == *finding.address;
}

std::string error_section(const LanesSubject& s) {
  using Kind = gpu::FindingKind;
  const gpu::Finding* const finding = first_error(s.history);
  if (finding == nullptr) return s.history.checked ? "error.none" : "error.unchecked";
  if (!s.error) return "error.elsewhere";
  switch (finding->kind) {
    case Kind::shared_race:
    case Kind::global_race: return "error.race";
    case Kind::barrier: return "error.barrier";
    case Kind::inactive_lane: return "error.inactive_lane";
    case Kind::deadlock:
    case Kind::runaway: return "error.endless";
    case Kind::misaligned: return "error.misaligned";
    case Kind::uninitialized: return "error.uninitialized";
    case Kind::out_of_bounds: return "error.out_of_bounds";
    case Kind::read_only:
    case Kind::stack_overflow:
    case Kind::bad_call_target:
    case Kind::bad_branch_target:
    case Kind::bad_free:
    case Kind::bad_texture:
    case Kind::bad_tensor_map: return "error.invalid";
    case Kind::failed_assert:
    case Kind::trap: return "error.stopped";
    case Kind::unsupported: return "error.unsupported";
  }
  return "error.none";
}

TablePicture accesses_table(const LanesSubject& s) {
  const auto word = [&](std::string_view key) { return s.input.narration.text("lanes.word", key); };
  TablePicture table;
  table.columns = {{s.input.narration.text("schedulers.why", "cycle"), 1, true, true},
                   {word("thread"), 2},
                   {word("access"), 1},
                   {word("instruction"), 2}};
  const auto lane = static_cast<std::size_t>(s.error->lane);
  const std::uint64_t from = s.access->at[lane], bytes = s.access->bytes;
  constexpr std::size_t rows_before = 4, rows = 10;
  std::size_t own = 0;
  for (const gpu::Issue& issue : s.window->issues) {
    if (issue.accesses.empty() || issue.accesses.front().space != s.access->space) continue;
    const gpu::LoggedAccess& access = issue.accesses.front();
    if (s.space() == LanesAccess::shared && issue.what.warp.block != s.issue->what.warp.block) continue;
    for (int other = 0; other < 32; ++other) {
      if (!overlaps(access, other, from, bytes)) continue;
      const bool self = &issue == s.issue && other == s.error->lane;
      if (self) own = table.rows.size();
      TableRow& row = table.rows.emplace_back();
      row.cells = {number_cell(issue.what.cycle),
                   word_cell(s.input.narration.text(
                       "lanes.word", "lane_of",
                       {{"lane", std::to_string(other)}, {"warp", warp_name(s.input.narration, issue.what.warp)}})),
                   word_cell(word(access.writes ? "writes" : "reads"), access.writes ? Tone::refused : Tone::memory),
                   word_cell(instruction_text(s.travel, s.history, issue.what.instruction).text, Tone::quiet)};
      row.cells.back().code = true;
      row.followed = self;
      row.cycle = issue.what.cycle;
    }
  }
  const std::size_t first = own > rows_before ? own - rows_before : 0;
  if (table.rows.size() > first + rows) table.rows.resize(first + rows);
  table.rows.erase(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(first));
  return table;
}

}  // namespace warpwalk::story
