#include <algorithm>
#include <map>
#include <optional>

#include "core/gpu/timing/estimate/scheduling.h"

namespace warpwalk::gpu {

namespace {

constexpr std::uint8_t all_counters = 0x3f;

std::uint8_t bit_of(std::uint8_t counter) {
  return counter == InstructionTiming::no_counter ? std::uint8_t{0} : static_cast<std::uint8_t>(1u << counter);
}

/// Counters that a register waits for.
struct Waits {
  std::uint8_t written = 0;  ///< its value comes when one of them is released
  std::uint8_t read = 0;     ///< an instruction that has issued may not have read it yet
};
/// By register; those without counters are left out.
using Pending = std::map<std::int32_t, Waits>;

void clear(Pending& pending, std::uint8_t counters) {
  for (auto at = pending.begin(); at != pending.end();) {
    at->second.written &= static_cast<std::uint8_t>(~counters);
    at->second.read &= static_cast<std::uint8_t>(~counters);
    at = at->second.written == 0 && at->second.read == 0 ? pending.erase(at) : std::next(at);
  }
}

bool add(Pending& to, const Pending& from) {
  bool changed = false;
  for (const auto& [reg, waits] : from) {
    Waits& merged = to[reg];
    const Waits old = merged;
    merged.written |= waits.written;
    merged.read |= waits.read;
    changed = changed || merged.written != old.written || merged.read != old.read;
  }
  return changed;
}

/// Sets the wait mask of an instruction, and updates what is pending behind it.
void pass(EstimatedInstruction& i, Pending& pending, bool is_entry) {
  const auto find = [&](std::int32_t reg) {
    const auto found = pending.find(reg);
    return found == pending.end() ? Waits{} : found->second;
  };
  std::uint8_t through = 0;
  for (const std::int32_t reg : i.reads) through |= find(reg).written;
  if (!i.folded) {
    std::uint8_t mask = through;
    for (const std::int32_t reg : i.writes) mask |= find(reg).written | find(reg).read;
    // The called function and the caller may use all counters.
    if (i.calls || (i.returns && !is_entry)) mask = all_counters;
    i.timing.wait_mask |= mask;
    if (mask != 0) clear(pending, i.timing.wait_mask);
    through = i.counted ? bit_of(i.timing.write_counter) : std::uint8_t{0};
  }
  for (const std::int32_t reg : i.writes) {
    if (through != 0 || pending.contains(reg)) pending[reg].written = through;
  }
  if (const std::uint8_t reads = bit_of(i.timing.read_counter); reads != 0)
    for (const std::int32_t reg : i.reads) pending[reg].read |= reads;
}

}  // namespace

void set_wait_masks(std::vector<CodeBlock>& blocks, bool is_entry) {
  std::vector<std::optional<Pending>> at_start(blocks.size());
  if (blocks.empty()) return;
  at_start[0].emplace();
  std::vector<std::uint32_t> work{0};
  const auto walk = [&](std::uint32_t b, Pending pending) {
    for (CodeBlock::Part& part : blocks[b].parts)
      for (EstimatedInstruction& i : part.instructions) pass(i, pending, is_entry);
    return pending;
  };
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    const Pending after = walk(b, *at_start[b]);
    for (const std::uint32_t to : blocks[b].successors) {
      const bool first = !at_start[to];
      if (first) at_start[to].emplace();
      if ((add(*at_start[to], after) || first) && std::ranges::find(work, to) == work.end()) work.push_back(to);
    }
  }
}

}  // namespace warpwalk::gpu
