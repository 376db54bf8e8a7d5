#include "core/debug/breakpoint.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <queue>

#include <fmt/format.h>

#include "core/debug/moment.h"

namespace warpwalk::debug {
namespace {

using Hit = Breakpoint::Hit;
using PlaceKind = gpu::ValuePlace::Kind;

/// Candidates whose conditions are evaluated together, SM by SM, so that each SM runs once for them.
constexpr std::size_t batch = 512;

int lowest_lane(std::uint32_t lanes) { return lanes == 0 ? 0 : std::countr_zero(lanes); }

void code_candidates(const Recording& recording, const Breakpoint& breakpoint, std::vector<Hit>& hits) {
  std::vector<bool> wanted(recording.code().size());
  for (const std::uint32_t instruction : breakpoint.instructions) wanted[instruction] = true;
  const bool lines = breakpoint.kind == Breakpoint::Kind::line;
  for (std::uint16_t sm = 0; sm < recording.sms(); ++sm) {
    const std::vector<LoggedIssue>& issues = recording.log(sm).issues();
    for (std::size_t i = 0; i < issues.size(); ++i) {
      if (!wanted[issues[i].instruction]) continue;
      const Position at = recording.position(sm, i);
      if (lines && !arrives(recording, at, wanted)) continue;
      hits.push_back({at, static_cast<std::uint8_t>(lowest_lane(issues[i].lanes))});
    }
  }
}

/// The nearest places of a breakpoint in the code, up to `count` of them, in the order of the search: forwards after
/// `from` (or at it, if `inclusive`), else before it.
std::vector<Hit> nearest_code_hits(const Recording& recording, const Breakpoint& breakpoint, const Position& from,
                                   bool forward, bool inclusive, std::size_t count) {
  std::vector<bool> wanted(recording.code().size());
  for (const std::uint32_t instruction : breakpoint.instructions) wanted[instruction] = true;
  const bool lines = breakpoint.kind == Breakpoint::Kind::line;
  // The next place on each SM, the nearest on top.
  const auto later = [forward](const Position& a, const Position& b) { return forward ? b < a : a < b; };
  std::priority_queue<Position, std::vector<Position>, decltype(later)> next(later);
  const auto find = [&](std::uint16_t sm, std::size_t issue) {
    const std::vector<LoggedIssue>& issues = recording.log(sm).issues();
    for (std::size_t i = issue; forward ? i < issues.size() : i-- > 0; i += forward ? 1 : 0) {
      if (!wanted[issues[i].instruction]) continue;
      const Position at = recording.position(sm, i);
      if (lines && !arrives(recording, at, wanted)) continue;
      next.push(at);
      return;
    }
  };
  for (std::uint16_t sm = 0; sm < recording.sms(); ++sm) {
    const SmLog& log = recording.log(sm);
    // Positions of one cycle are ordered by their SM.
    std::size_t begin = log.first_at(sm < from.sm ? std::int64_t{from.cycle} + 1 : std::int64_t{from.cycle});
    if (sm == from.sm) begin = std::max<std::size_t>(begin, from.issue + (forward && !inclusive ? 1U : 0U));
    find(sm, std::min(begin, log.issues().size()));
  }
  std::vector<Hit> hits;
  while (!next.empty() && hits.size() < count) {
    const Position at = next.top();
    next.pop();
    hits.push_back({at, static_cast<std::uint8_t>(lowest_lane(recording.issue_at(at).lanes))});
    find(at.sm, forward ? std::size_t{at.issue} + 1 : at.issue);
  }
  return hits;
}

bool names_register(const ptx::Operand& operand, std::int32_t index) {
  return (operand.kind == ptx::OperandKind::reg && operand.index == index) ||
         std::ranges::any_of(operand.elements, [&](const ptx::Operand& one) { return names_register(one, index); });
}

/// By instruction of PTX: whether it names a register that can be at this place. Where the frame of its function begins
/// is known only when it runs, but it is a multiple of 64 bytes.
std::vector<bool> instructions_naming(const gpu::Program& program, std::uint64_t place) {
  constexpr std::uint64_t frame_step = 64;
  std::vector<bool> naming(program.sources.size());
  for (const gpu::Function& function : program.functions)
    for (std::size_t r = 0; r < function.register_offsets.size(); ++r) {
      const std::uint64_t offset = function.register_offsets[r];
      if (place < offset || (place - offset) % frame_step != 0) continue;
      for (std::size_t i = 0; i < naming.size(); ++i)
        if (program.sources[i].function == function.source)
          naming[i] = naming[i] || std::ranges::any_of(program.sources[i].instruction->operands, [&](const auto& one) {
                        return names_register(one, static_cast<std::int32_t>(r));
                      });
    }
  return naming;
}

/// The lanes of an issue that write a register, from its use in machine code.
std::uint32_t register_lanes(const Recording& recording, const gpu::ValuePlace& place, const LoggedIssue& issue,
                             Breakpoint::Access access) {
  const auto& code = recording.program().machine_code;
  if (!code || issue.instruction >= code->uses.size() || place.address < code->frame.general) return 0;
  const std::size_t number = (place.address - code->frame.general) / 128;
  const sass::RegisterUse& use = code->uses[issue.instruction];
  if (number >= use.reads.general.size()) return 0;
  const bool wanted = (access != Breakpoint::Access::read && use.writes.general.test(number)) ||
                      (access != Breakpoint::Access::change && use.reads.general.test(number));
  return wanted ? issue.executing & std::uint32_t{1} << place.lane : 0;
}

void data_candidates(const Recording& recording, const Breakpoint& breakpoint, std::vector<Hit>& hits) {
  const gpu::ValuePlace& place = breakpoint.place;
  if (place.kind == PlaceKind::lane_register) {
    const auto sm = recording.sm_of(place.warp.block);
    if (!sm) return;
    const SmLog& log = recording.log(*sm);
    const bool ptx = !recording.program().machine_code;
    const std::vector<bool> naming =
        ptx ? instructions_naming(recording.program(), place.address) : std::vector<bool>();
    const std::uint32_t lane = std::uint32_t{1} << place.lane;
    for (auto i = log.first_of_warp(place.warp.block, place.warp.warp, 0); i; i = log.next_of_warp(*i))
      if (const LoggedIssue& issue = log.issues()[*i]; ptx) {
        if (naming[issue.instruction] && (issue.executing & lane) != 0)
          hits.push_back({recording.position(*sm, *i), static_cast<std::uint8_t>(place.lane)});
      } else if (const auto lanes = register_lanes(recording, place, issue, breakpoint.access); lanes != 0)
        hits.push_back({recording.position(*sm, *i), static_cast<std::uint8_t>(lowest_lane(lanes))});
    return;
  }
  const AccessRow::Space space = place.kind == PlaceKind::global   ? AccessRow::Space::global
                                 : place.kind == PlaceKind::shared ? AccessRow::Space::shared
                                                                   : AccessRow::Space::local;
  const auto extent = recording.before().cluster.value_or(std::array<std::uint32_t, 3>{1, 1, 1});
  const std::uint64_t cluster = std::max<std::uint64_t>(1, std::uint64_t{extent[0]} * extent[1] * extent[2]);
  for (std::uint16_t sm = 0; sm < recording.sms(); ++sm) {
    const SmLog& log = recording.log(sm);
    std::size_t last = ~std::size_t{0};
    for (const AccessRow& access : log.accesses()) {
      // A bulk copy from global memory may change the shared memory of its block's cluster.
      if (space == AccessRow::Space::shared && breakpoint.access == Breakpoint::Access::change && !access.writes &&
          log.pattern_of(access).mask == 0 && access.issue != last &&
          log.warp_of(access.issue).block / cluster == place.warp.block / cluster) {
        last = access.issue;
        hits.push_back({recording.position(sm, access.issue), 0});
        continue;
      }
      if (access.space != space || (breakpoint.access == Breakpoint::Access::change && !access.writes) ||
          (breakpoint.access == Breakpoint::Access::read && access.writes && !access.atomic))
        continue;
      std::uint32_t lanes = log.lanes_touching(access, place.address, place.bytes);
      if (lanes == 0 || access.issue == last) continue;
      if (space != AccessRow::Space::global) {
        const gpu::WarpPlace warp = log.warp_of(access.issue);
        if (warp.block != place.warp.block) continue;
        if (space == AccessRow::Space::local) {
          if (warp.warp != place.warp.warp) continue;
          lanes &= std::uint32_t{1} << place.lane;
          if (lanes == 0) continue;
        }
      }
      last = access.issue;
      hits.push_back({recording.position(sm, access.issue), static_cast<std::uint8_t>(lowest_lane(lanes))});
    }
  }
}

base::Result<void> exception_candidates(Recording& recording, const Breakpoint& breakpoint, std::vector<Hit>& hits) {
  const auto findings = recording.findings(breakpoint.finding);
  if (!findings) return base::Error{findings.error()};
  for (std::uint32_t f = 0; f < (*findings)->size(); ++f) {
    const gpu::Finding& finding = (**findings)[f];
    if (finding.kind != breakpoint.finding) continue;
    const std::uint64_t block = recording.block_number(finding.block);
    const auto sm = recording.sm_of(block);
    if (!sm) continue;
    const auto& size = recording.before().block;
    const std::uint32_t thread = finding.thread[0] + size[0] * (finding.thread[1] + size[1] * finding.thread[2]);
    const int lane = static_cast<int>(thread % 32);
    const SmLog& log = recording.log(*sm);
    std::optional<std::size_t> found;
    for (auto i = log.first_of_warp(block, thread / 32, 0); i; i = log.next_of_warp(*i)) {
      const LoggedIssue& issue = log.issues()[*i];
      gpu::Finding at;
      gpu::locate_finding(recording.program(), issue.instruction, at);
      const bool same = at.source_line == finding.source_line && at.ptx_line == finding.ptx_line &&
                        at.source_file == finding.source_file && (issue.lanes >> lane & 1) != 0;
      if (!same) continue;
      bool touches = !finding.address;
      if (finding.address)
        for (const AccessRow& access : log.accesses_of(*i))
          touches = touches || ((log.pattern_of(access).mask >> lane & 1) != 0 &&
                                log.address_of(access, lane) == *finding.address);
      if (!found || touches) found = *i;
      if (touches) break;
    }
    // An access that ends the launch may not be in the log: the thread's last instruction.
    if (!found) found = log.last_of_warp(block, thread / 32);
    if (found) hits.push_back({recording.position(*sm, *found), static_cast<std::uint8_t>(lane), f});
  }
  return {};
}

/// The lane at which the condition holds; nullopt if at none.
std::optional<int> satisfied(Recording& recording, const Breakpoint& breakpoint, const Hit& hit, std::string& error) {
  const LoggedIssue& issue = recording.issue_at(hit.at);
  if (breakpoint.kind == Breakpoint::Kind::data && breakpoint.access == Breakpoint::Access::change) {
    const auto change = change_at(recording, breakpoint.place, hit.at);
    if (change && change->before == change->after) return {};
  }
  if (!breakpoint.condition) return hit.lane;
  const gpu::WarpPlace warp = recording.warp_at(hit.at);
  const bool one_lane = breakpoint.kind == Breakpoint::Kind::exception || breakpoint.kind == Breakpoint::Kind::data;
  for (std::uint32_t left = one_lane ? std::uint32_t{1} << hit.lane : issue.lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    Moment moment(recording, issue.cycle, warp.block, warp.warp, lane);
    const auto value = breakpoint.condition->evaluate(moment);
    if (!value) {
      error = value.error();
      return {};
    }
    if (value->truth()) return lane;
  }
  return {};
}

/// The satisfied ones of some candidates, in their order.
std::vector<Hit> satisfied_of(Recording& recording, const Breakpoint& breakpoint, std::span<const Hit> candidates,
                              std::string& error) {
  std::map<std::uint16_t, std::vector<std::size_t>> by_sm;
  for (std::size_t i = 0; i < candidates.size(); ++i) by_sm[candidates[i].at.sm].push_back(i);
  std::vector<std::optional<int>> lanes(candidates.size());
  for (const auto& [sm, of_sm] : by_sm)
    for (const std::size_t i : of_sm)
      if (!recording.cancelled()) lanes[i] = satisfied(recording, breakpoint, candidates[i], error);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (lanes[i]) {
      hits.push_back(candidates[i]);
      hits.back().lane = static_cast<std::uint8_t>(*lanes[i]);
    }
  return hits;
}

/// A search from one position has come to another.
void report_search(const Recording& recording, const Position& from, const Position& at, bool forward) {
  const std::int64_t all = forward ? recording.end() - from.cycle : std::int64_t{from.cycle};
  const std::int64_t done = forward ? std::int64_t{at.cycle} - from.cycle : std::int64_t{from.cycle} - at.cycle;
  recording.report_progress(static_cast<std::uint64_t>(std::max<std::int64_t>(0, done)),
                            static_cast<std::uint64_t>(std::max<std::int64_t>(0, all)));
}

bool needs_evaluation(const Breakpoint& breakpoint) {
  return breakpoint.condition.has_value() ||
         (breakpoint.kind == Breakpoint::Kind::data && breakpoint.access == Breakpoint::Access::change);
}

}  // namespace

bool HitRule::stops_at(std::uint64_t hit) const {
  switch (kind) {
    case Kind::equal: return hit == number;
    case Kind::at_least: return hit >= number;
    case Kind::more: return hit > number;
    case Kind::less: return hit < number;
    case Kind::multiple: return number != 0 && hit % number == 0;
  }
  return true;
}

std::optional<HitRule> parse_hit_rule(std::string_view text) {
  using Kind = HitRule::Kind;
  constexpr std::pair<std::string_view, Kind> words[] = {{">=", Kind::at_least}, {"==", Kind::equal},
                                                         {">", Kind::more},      {"<", Kind::less},
                                                         {"=", Kind::equal},     {"%", Kind::multiple}};
  const auto skip = [&] {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
  };
  skip();
  HitRule rule;
  rule.kind = Kind::equal;
  for (const auto& [word, kind] : words) {
    if (!text.starts_with(word)) continue;
    rule.kind = kind;
    text.remove_prefix(word.size());
    break;
  }
  skip();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rule.number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return rule;
}

bool arrives(const Recording& recording, const Position& at, const std::vector<bool>& instructions) {
  const SmLog& log = recording.log(at.sm);
  const auto previous = log.previous_of_warp(at.issue);
  if (!previous) return true;
  const std::uint32_t before = log.issues()[*previous].instruction;
  return !instructions[before] || before >= log.issues()[at.issue].instruction;
}

base::Result<void> find_candidates(Recording& recording, Breakpoint& breakpoint) {
  if (breakpoint.candidates) return {};
  std::vector<Hit> hits;
  switch (breakpoint.kind) {
    case Breakpoint::Kind::line:
    case Breakpoint::Kind::function:
    case Breakpoint::Kind::instruction: code_candidates(recording, breakpoint, hits); break;
    case Breakpoint::Kind::data: data_candidates(recording, breakpoint, hits); break;
    case Breakpoint::Kind::exception:
      if (auto done = exception_candidates(recording, breakpoint, hits); !done) return done;
      break;
  }
  std::ranges::sort(hits, {}, &Hit::at);
  breakpoint.candidates = std::move(hits);
  return {};
}

std::optional<Hit> next_hit(Recording& recording, Breakpoint& breakpoint, const Position& from, bool forward,
                            bool inclusive, std::string& error) {
  if (!breakpoint.verified) return {};
  const auto rule = parse_hit_rule(breakpoint.hits_text);
  bool evaluates = needs_evaluation(breakpoint);
  const bool in_code = breakpoint.kind != Breakpoint::Kind::data && breakpoint.kind != Breakpoint::Kind::exception;
  if (in_code && !rule && !breakpoint.candidates) {
    Position at = from;
    // The first batch is small, because the next place often stops.
    for (std::size_t size = evaluates ? 8 : 1;; size = std::min(batch, size * 4)) {
      report_search(recording, from, at, forward);
      std::vector<Hit> hits = nearest_code_hits(recording, breakpoint, at, forward, inclusive, size);
      if (hits.empty() || recording.cancelled()) return {};
      if (!evaluates) return hits.front();
      at = hits.back().at;
      inclusive = false;
      if (!forward) std::ranges::reverse(hits);
      const std::vector<Hit> good = satisfied_of(recording, breakpoint, hits, error);
      if (!good.empty()) return forward ? good.front() : good.back();
    }
  }
  if (const auto done = find_candidates(recording, breakpoint); !done) {
    error = done.error();
    return {};
  }
  const std::vector<Hit>* all = &*breakpoint.candidates;
  if (rule) {
    if (!breakpoint.counted) {
      const std::vector<Hit> hits = evaluates ? satisfied_of(recording, breakpoint, *all, error) : *all;
      std::vector<Hit>& counted = breakpoint.counted.emplace();
      for (std::size_t i = 0; i < hits.size(); ++i)
        if (rule->stops_at(i + 1)) counted.push_back(hits[i]);
    }
    all = &*breakpoint.counted;
    evaluates = false;
  }
  auto begin = all->begin(), end = all->end();
  if (forward)
    begin = inclusive ? std::ranges::lower_bound(*all, from, {}, &Hit::at)
                      : std::ranges::upper_bound(*all, from, {}, &Hit::at);
  else
    end = std::ranges::lower_bound(*all, from, {}, &Hit::at);
  if (!evaluates) {
    if (begin == end) return {};
    return forward ? *begin : *std::prev(end);
  }
  // The first batch is small, because the next place often stops.
  for (std::size_t size = 8; begin != end && !recording.cancelled(); size = std::min(batch, size * 4)) {
    report_search(recording, from, forward ? begin->at : std::prev(end)->at, forward);
    const auto part = static_cast<std::ptrdiff_t>(std::min<std::size_t>(size, static_cast<std::size_t>(end - begin)));
    const auto first = forward ? begin : end - part;
    const std::vector<Hit> hits = satisfied_of(recording, breakpoint, {first, first + part}, error);
    if (!hits.empty()) return forward ? hits.front() : hits.back();
    (forward ? begin : end) = forward ? begin + part : end - part;
  }
  return {};
}

std::optional<Change> change_at(Recording& recording, const gpu::ValuePlace& place, const Position& at) {
  Change change;
  change.before.resize(place.bytes);
  change.after.resize(place.bytes);
  const std::int64_t cycle = at.cycle;
  if (place.kind == PlaceKind::global) {
    if (!recording.read_global(at.sm, cycle, place.address, change.before)) return {};
    change.after = change.before;
    for (const AccessRow& access : recording.log(at.sm).accesses_of(at.issue))
      if (access.values != AccessRow::none) recording.log(at.sm).copy_written(access, place.address, change.after);
    return change;
  }
  const auto read = [&](std::int64_t when, std::vector<std::uint8_t>& into) {
    Moment moment(recording, when, place.warp.block, place.warp.warp, place.lane);
    const gpu::WarpState* const state = moment.state();
    if (place.kind == PlaceKind::lane_register) {
      const gpu::Warp* const warp = moment.warp();
      const std::size_t offset = place.address + place.bytes * static_cast<std::size_t>(place.lane);
      if (warp == nullptr || offset + place.bytes > warp->registers.size()) return false;
      std::copy_n(warp->registers.begin() + static_cast<std::ptrdiff_t>(offset), place.bytes, into.begin());
      return true;
    }
    if (place.kind == PlaceKind::local) return moment.read_local(place.address, into);
    if (state == nullptr || state->block == nullptr) return false;
    return moment.read_shared(place.address - gpu::shared_begin - state->block->shared_base, into);
  };
  if (!read(cycle, change.before) || !read(cycle + 1, change.after)) return {};
  return change;
}

}  // namespace warpwalk::debug
