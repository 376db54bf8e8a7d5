#include "core/analysis/memory/memory_map.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/analysis/memory/memory_ledger.h"
#include "core/base/quantity_text.h"

namespace warpwalk::analysis {
namespace {

using trace::absent;

// Larger addresses and sizes come from a damaged file.
constexpr std::uint64_t highest_address = std::uint64_t{1} << 62;
constexpr std::int64_t max_bytes = std::int64_t{1} << 60;

bool is_sane(std::uint64_t address, std::int64_t bytes) {
  return address <= highest_address && bytes > -max_bytes && bytes < max_bytes;
}

void read_events(const Trace& trace, const MemorySpace& space, MemoryLedger& ledger, MemoryMap& map) {
  for (const trace::MemoryEvent& event : trace.memory) {
    if (!is_of(event, space)) continue;
    if (event.out_of_memory) {
      ++map.failures;
      continue;
    }
    map.source = MemoryMap::Source::events;
    const bool addressed = event.address != absent && event.address >= 0 &&
                           is_sane(static_cast<std::uint64_t>(event.address), event.bytes);
    ledger.change(event.time, addressed ? static_cast<std::uint64_t>(event.address) : 0, addressed, event.bytes,
                  event.allocated, space.gpu ? event.reserved : absent, trace::no_record);
  }
}

// warpwalk's records do not include totals, so this function computes them.
void read_records(const Trace& trace, const MemorySpace& space, MemoryLedger& ledger, MemoryMap& map) {
  struct Change {
    std::int64_t time;
    bool take;
    std::size_t row;
  };
  const std::vector<trace::Allocation>& rows = trace.records.allocations;
  std::vector<Change> changes;
  std::map<std::uint64_t, std::int64_t> held;  // segments that were allocated from the driver
  std::int64_t allocated = 0, reserved = 0;
  bool all_segments = space.gpu;
  const auto size = [&](std::size_t row) {
    return static_cast<std::int64_t>(rows[row].rounded_bytes != 0 ? rows[row].rounded_bytes : rows[row].bytes);
  };
  const auto hold = [&](const trace::Allocation& one) {
    const auto bytes = static_cast<std::int64_t>(one.segment_bytes);
    if (one.segment != 0 && held.emplace(one.segment, bytes).second) reserved += bytes;
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const trace::Allocation& one = rows[row];
    if ((one.device >= 0) != space.gpu || (space.gpu && one.device != space.device)) continue;
    if (!is_sane(one.address, size(row)) || !is_sane(one.segment, static_cast<std::int64_t>(one.segment_bytes)))
      continue;
    map.source = MemoryMap::Source::records;
    all_segments = all_segments && one.segment != 0 && one.segment_bytes != 0;
    if (one.segment != 0 && one.segment_bytes != 0)
      ledger.segment(one.segment, static_cast<std::int64_t>(one.segment_bytes));
    if (one.allocated_ns >= 0) {
      changes.push_back({one.allocated_ns, true, row});
    } else {
      ledger.present(one.address, size(row), row);
      allocated += size(row);
      hold(one);
    }
    if (one.freed_ns >= 0) changes.push_back({one.freed_ns, false, row});
  }
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  map.allocated = allocated;
  map.reserved = all_segments ? reserved : absent;
  for (const Change& change : changes) {
    const trace::Allocation& one = rows[change.row];
    if (change.take) hold(one);
    const std::int64_t bytes = change.take ? size(change.row) : -size(change.row);
    allocated += bytes;
    ledger.change(change.time, one.address, true, bytes, allocated, all_segments ? reserved : absent, change.row);
  }
}

// Each allocation held at `at` becomes a strip of its own, however many there are.
void read_driver(const Trace& trace, const MemorySpace& space, std::int64_t at, MemoryLedger& ledger, MemoryMap& map) {
  std::map<std::uint64_t, MemoryRange> held;
  std::int64_t total = 0, changed = 0, time = 0;
  // An allocation that grows is released and taken at the same time: the total must not dip in between.
  const auto enter = [&] {
    if (map.source == MemoryMap::Source::driver)
      ledger.change(time, 0, false, changed, total, absent, trace::no_record);
    changed = 0;
  };
  for (const trace::DriverMemory& change : trace.driver_memory) {
    if (!space.gpu || change.device != space.device) continue;
    if (change.time != time) enter();
    map.source = MemoryMap::Source::driver;
    time = change.time;
    total += change.bytes;
    changed += change.bytes;
    if (change.time > at) continue;
    if (change.bytes > 0)
      held[change.address] = {change.address, change.bytes, MemoryRange::State::block, change.time, trace::no_record};
    else
      held.erase(change.address);
  }
  enter();
  map.blocks = held.size();
  for (const auto& [address, piece] : held) {
    map.seen += piece.bytes;
    map.strips.push_back({address, piece.bytes, true, false, {piece}});
  }
}

}  // namespace

bool is_of(const trace::MemoryEvent& event, const MemorySpace& space) {
  if (event.bytes == absent || (event.device_type == 1) != space.gpu) return false;
  return space.gpu ? event.device == space.device : event.device_type == 0;
}

MemoryTotals memory_totals(const Trace& trace, const MemoryMap& map, std::int64_t at) {
  if (map.source == MemoryMap::Source::driver) {
    MemoryTotals totals{0, absent};
    for (const trace::DriverMemory& change : trace.driver_memory) {
      if (change.time > at) break;
      if (change.device == map.space.device) totals.allocated += change.bytes;
    }
    return totals;
  }
  if (map.source != MemoryMap::Source::events) {
    const MemoryMap then = memory_map(trace, map.space, at);  // there are few records
    return {then.allocated, then.reserved};
  }
  std::size_t low = 0, high = trace.memory.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (trace.memory[middle].time <= at)
      low = middle + 1;
    else
      high = middle;
  }
  const auto counts = [&](const trace::MemoryEvent& event) { return is_of(event, map.space) && !event.out_of_memory; };
  for (std::size_t row = low; row-- > 0;)
    if (const trace::MemoryEvent& event = trace.memory[row]; counts(event))
      return {event.allocated, map.space.gpu ? event.reserved : absent};
  for (std::size_t row = low; row < trace.memory.size(); ++row)
    if (const trace::MemoryEvent& event = trace.memory[row]; counts(event))
      return {event.allocated == absent ? absent : std::max<std::int64_t>(0, event.allocated - event.bytes),
              map.space.gpu ? event.reserved : absent};
  return {};
}

MemoryMap memory_map(const Trace& trace, const MemorySpace& space, std::int64_t at) {
  MemoryMap map;
  map.space = space;
  MemoryLedger ledger(map, at, trace.begin_ns, trace.end_ns);
  if (!trace.records.allocations.empty()) read_records(trace, space, ledger, map);
  if (map.source == MemoryMap::Source::none) read_events(trace, space, ledger, map);
  if (map.source == MemoryMap::Source::none && map.failures == 0) read_driver(trace, space, at, ledger, map);
  if (map.source != MemoryMap::Source::driver) ledger.finish();
  return map;
}

std::string address_text(std::uint64_t address) { return fmt::format("0x{:x}", address); }
std::string full_bytes(std::int64_t bytes) { return base::with_thousands(bytes) + " B"; }

namespace caching_rules {

std::int64_t rounded(std::int64_t bytes) {
  return bytes <= rounding ? rounding : (bytes + rounding - 1) / rounding * rounding;
}
bool is_small(std::int64_t bytes) { return bytes <= largest_small; }
std::int64_t segment_for(std::int64_t bytes) {
  if (is_small(bytes)) return small_segment;
  if (bytes < own_segment) return middle_segment;
  return (bytes + own_segment_rounding - 1) / own_segment_rounding * own_segment_rounding;
}

}  // namespace caching_rules

}  // namespace warpwalk::analysis
