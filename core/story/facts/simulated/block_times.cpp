#include "core/story/facts/simulated/block_times.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace warpwalk::story {
namespace {

constexpr std::int64_t longest_plausible_launch = std::int64_t{1} << 50;  // ns, of a launch: 13 days

// Puts the blocks in order and gives each the first free slot of its SM. Neither the record of a GPU nor the timing
// model numbers these slots.
void give_slots(BlockTimes& times) {
  std::ranges::sort(times.blocks, [](const BlockTime& a, const BlockTime& b) {
    return std::tie(a.start, a.block) < std::tie(b.start, b.block);
  });
  struct Slot {
    std::int64_t free = 0;
    std::uint32_t turns = 0;
  };
  std::map<std::uint16_t, std::vector<Slot>> sms;
  for (BlockTime& block : times.blocks) {
    std::vector<Slot>& slots = sms[block.sm];
    auto slot = std::ranges::find_if(slots, [&](const Slot& one) { return one.free <= block.start; });
    if (slot == slots.end()) slot = slots.insert(slots.end(), Slot{});
    slot->free = block.end;
    block.slot = static_cast<std::uint16_t>(slot - slots.begin());
    block.turn = slot->turns++;
    times.end = std::max(times.end, block.end);
  }
}

template <class Before>
std::optional<BlockTime> first_of(const std::vector<BlockTime>& blocks, const Before& before,
                                  bool (*wanted)(const BlockTime&)) {
  std::optional<BlockTime> found;
  for (const BlockTime& block : blocks)
    if (wanted(block) && (!found || before(block, *found))) found = block;
  return found;
}

}  // namespace

std::vector<BlockTime> BlockTimes::on(std::uint16_t sm) const {
  std::vector<BlockTime> found;
  std::ranges::copy_if(blocks, std::back_inserter(found), [&](const BlockTime& block) { return block.sm == sm; });
  return found;
}

std::uint64_t BlockTimes::resident(std::int64_t at) const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(blocks, [&](const BlockTime& block) { return block.resident(at); }));
}

std::uint64_t BlockTimes::ended(std::int64_t by) const {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(blocks, [&](const BlockTime& block) { return block.ended && block.end <= by; }));
}

std::uint64_t BlockTimes::first_wave() const {
  return static_cast<std::uint64_t>(std::ranges::count(blocks, 0u, &BlockTime::turn));
}

std::optional<BlockTime> BlockTimes::first_ended() const {
  return first_of(
      blocks, [](const BlockTime& a, const BlockTime& b) { return a.end < b.end; },
      [](const BlockTime& block) { return block.ended; });
}

std::optional<BlockTime> BlockTimes::first_later() const {
  return first_of(
      blocks, [](const BlockTime& a, const BlockTime& b) { return a.start < b.start; },
      [](const BlockTime& block) { return block.turn > 0; });
}

std::optional<BlockTime> BlockTimes::last_started() const {
  return blocks.empty() ? std::nullopt : std::optional(blocks.back());
}

std::optional<BlockTime> BlockTimes::last_ended() const {
  return first_of(
      blocks, [](const BlockTime& a, const BlockTime& b) { return a.end > b.end; },
      [](const BlockTime& block) { return block.ended; });
}

std::uint64_t most_at_once(const std::vector<BlockTime>& blocks) {
  std::map<std::int64_t, std::int64_t> change;
  for (const BlockTime& block : blocks) {
    ++change[block.start];
    --change[block.end];
  }
  std::int64_t now = 0, most = 0;
  for (const auto& [time, by] : change) most = std::max(most, now += by);
  return static_cast<std::uint64_t>(most);
}

BlockTimes simulated_blocks(const run::TimeTravel& travel) {
  const gpu::LaunchTiming& timing = travel.timing();
  const gpu::LaunchRecord& record = travel.record();
  BlockTimes times;
  times.grid = timing.sm.size();
  const auto cycle = [](double time) { return static_cast<std::int64_t>(std::llround(time)); };
  for (std::size_t sm = 0; sm < record.sms.size(); ++sm)
    for (const gpu::SmInput& input : record.sms[sm].inputs) {
      if (!input.block) continue;
      // A block that did not end has an end of 0.
      const double end = input.id < timing.end.size() ? timing.end[input.id] : 0;
      BlockTime block;
      block.block = input.id;
      block.sm = static_cast<std::uint16_t>(sm);
      block.start = cycle(input.time);
      block.ended = end > 0;
      block.end = block.ended ? std::max(block.start, cycle(end))
                              : std::max(block.start, travel.end(static_cast<std::uint16_t>(sm)));
      times.blocks.push_back(block);
    }
  give_slots(times);
  return times;
}

std::optional<BlockTimes> measured_blocks(const Trace& trace, const Walk& walk) {
  const trace::KernelRecord* const record = kernel_record(trace, walk);
  if (record == nullptr || record->placement.empty() || record->placement_origin != Origin::measured) return {};
  BlockTimes times;
  times.grid = record->placement.size();
  bool ends = false;
  for (std::size_t b = 0; b < record->placement.size(); ++b) {
    const trace::BlockPlacement& placed = record->placement[b];
    if (placed.sm > 0xffff || placed.start < 0 || placed.end > longest_plausible_launch) return {};  // damaged
    ends = ends || placed.end > placed.start;
    times.blocks.push_back(
        {b, static_cast<std::uint16_t>(placed.sm), 0, 0, placed.start, std::max(placed.start, placed.end), true});
  }
  if (!ends) return {};
  give_slots(times);
  return times;
}

}  // namespace warpwalk::story
