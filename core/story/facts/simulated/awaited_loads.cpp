#include "core/story/facts/simulated/awaited_loads.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "core/gpu/exec/program.h"
#include "core/gpu/timing/coalescer.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t looked_back = 2048;  // cycles, for other accesses that share the counter

using SectorsByLine = std::map<std::uint64_t, std::uint8_t>;  // sectors, a bit each, by line

struct Access {
  std::uint32_t instruction = 0;
  std::int64_t cycle = 0;
  SectorsByLine lines;
};

// Whether the instruction counts up this counter. The accesses of PTX do not say.
bool counts_up(const gpu::Program& program, std::uint32_t instruction, std::size_t counter) {
  return program.machine_code && instruction < program.machine_code->instructions.size() &&
         program.machine_code->instructions[instruction].control.write_barrier == counter;
}

void add_sectors(std::uint64_t line, int sectors, SectorsByLine& lines) {
  std::uint8_t& all = lines[line];
  all = static_cast<std::uint8_t>(all | sectors);
}

SectorsByLine lines_of(const gpu::LoggedAccess& access) {
  const gpu::CoalescedAccess folded = gpu::coalesce(access);
  SectorsByLine lines;
  for (int i = 0; i < folded.count; ++i) {
    const gpu::LineAccess& line = folded.lines[static_cast<std::size_t>(i)];
    add_sectors(line.line, line.sectors, lines);
  }
  return lines;
}

int sectors_in(const SectorsByLine& lines) {
  int sum = 0;
  for (const auto& [line, sectors] : lines) sum += std::popcount(sectors);
  return sum;
}

const gpu::LoggedAccess* global_access(const gpu::Issue& issue) {
  const auto found = std::ranges::find(issue.accesses, gpu::LoggedAccess::Space::global, &gpu::LoggedAccess::space);
  return found == issue.accesses.end() ? nullptr : &*found;
}

// The sectors of these lines that a request of the warp is under way for.
SectorsByLine under_way(const SectorsByLine& asked, const std::vector<const gpu::RequestState*>& requests) {
  SectorsByLine away;
  for (const gpu::RequestState* const request : requests) {
    const auto wanted = asked.find(request->line);
    if (wanted != asked.end() && (request->sectors & wanted->second) != 0)
      add_sectors(request->line, request->sectors & wanted->second, away);
  }
  return away;
}

// The accesses that count up the counter, the last one first. Without the one that it names, they are not known.
std::vector<Access> accesses_of(run::TimeTravel& travel, std::uint16_t sm, const gpu::WarpState& warp,
                                std::size_t counter) {
  const gpu::DependenceState& dependence = warp.dependences[counter];
  const std::int64_t from = travel.program().machine_code ? dependence.set_at - looked_back : dependence.set_at;
  const auto window = travel.window(sm, std::max<std::int64_t>(0, from), dependence.set_at + 1);
  std::vector<Access> accesses;
  for (auto issue = window->issues.rbegin(); issue != window->issues.rend(); ++issue) {
    const gpu::IssuedInstruction& what = issue->what;
    if (!(what.warp == warp.place)) continue;
    const bool named = what.cycle == dependence.set_at && what.instruction == dependence.set_by;
    const gpu::LoggedAccess* const access = global_access(*issue);
    if (named && access == nullptr) return {};
    if (access != nullptr && (named || counts_up(travel.program(), what.instruction, counter)))
      accesses.push_back({what.instruction, what.cycle, lines_of(*access)});
  }
  return accesses;
}

}  // namespace

AwaitedLoads awaited_loads(run::TimeTravel& travel, const run::SmMoment& now, const gpu::WarpState& warp,
                           std::size_t counter) {
  const gpu::DependenceState& dependence = warp.dependences[counter];
  std::vector<const gpu::RequestState*> requests;  // of the warp
  for (const gpu::RequestState& request : now.state.requests)
    if (!request.store && !request.fetch && std::ranges::find(request.slots, warp.place.slot) != request.slots.end())
      requests.push_back(&request);
  std::vector<Access> accesses = accesses_of(travel, now.sm, warp, counter);
  std::ranges::stable_partition(accesses, [&](const Access& one) { return !under_way(one.lines, requests).empty(); });
  if (accesses.size() > dependence.pending) accesses.resize(dependence.pending);

  AwaitedLoads found{dependence.set_by, dependence.set_at, accesses.size()};
  SectorsByLine asked;
  if (!accesses.empty()) {
    const Access& last = *std::ranges::max_element(accesses, {}, &Access::cycle);
    found.instruction = last.instruction;
    found.cycle = last.cycle;
  }
  for (const Access& one : accesses)
    for (const auto& [line, sectors] : one.lines) add_sectors(line, sectors, asked);
  const SectorsByLine away = under_way(asked, requests);
  found.lines = static_cast<int>(asked.size());
  found.sectors = sectors_in(asked);
  found.lines_away = static_cast<int>(away.size());
  found.sectors_away = sectors_in(away);
  for (const gpu::RequestState* const request : requests) {
    const auto wanted = asked.find(request->line);
    const bool theirs = wanted != asked.end() && (request->sectors & wanted->second) != 0;
    if (!accesses.empty() && !theirs) continue;  // another access of this warp asked for it
    if (found.last == nullptr || request->arrives_at > found.last->arrives_at) found.last = request;
  }
  return found;
}

}  // namespace warpwalk::story
