#include "core/story/scenes/tour/placing.h"

#include <algorithm>
#include <limits>

namespace warpwalk::story {
namespace {

// The starts and ends that were measured, or else simulated, if they agree with the plan about the followed block.
BlockTimes known_times(const Tour& s) {
  std::optional<BlockTimes> times = measured_blocks(s.trace(), s.walk());
  if (!times && s.input.history.travel != nullptr && s.input.history.own())
    times = simulated_blocks(*s.input.history.travel);
  if (!times || times->grid != s.plan.blocks) return {};
  const auto followed = std::ranges::find(times->blocks, s.block, &BlockTime::block);
  if (followed == times->blocks.end() || followed->sm != s.sm) return {};
  const bool fits = std::ranges::all_of(times->blocks, [&](const BlockTime& block) {
    return block.slot < s.plan.occupancy.blocks_per_sm && block.sm < s.sms();
  });
  return fits ? *times : BlockTimes{};
}

}  // namespace

std::optional<PlaneBox> Placing::slot_of(const Tour& s, std::uint64_t block) const {
  const auto slots = static_cast<std::uint32_t>(s.plan.occupancy.blocks_per_sm);
  if (const BlockTime* const time = time_of(block))
    return world::block_on(world::sm(time->sm, s.sms()), time->slot, slots);
  if (first[block] == nullptr) return {};
  return world::block_on(world::sm(first[block]->sm, s.sms()), first[block]->slot, slots);
}

std::optional<std::int64_t> Placing::called(std::uint64_t block) const {
  const BlockTime* const own = time_of(block);
  if (own == nullptr || own->turn == 0) return {};
  const auto before = std::ranges::find_if(times.blocks, [&](const BlockTime& one) {
    return one.sm == own->sm && one.slot == own->slot && one.turn + 1 == own->turn;
  });
  return before == times.blocks.end() ? std::nullopt : std::optional(before->end);
}

std::int64_t Placing::first_called() const { return calls.empty() ? 0 : calls.front(); }

std::int64_t Placing::half_called() const { return calls.empty() ? 0 : calls[(calls.size() - 1) / 2]; }

Placing placing_of(const Tour& s) {
  Placing placing;
  const std::uint64_t blocks = std::min(s.plan.blocks, Placing::most_drawn);
  placing.first.resize(blocks, nullptr);
  for (const PlacedBlock& one : s.plan.placed)
    if (one.turn == 0 && one.block < blocks) placing.first[one.block] = &one;
  placing.times = known_times(s);
  placing.index.resize(blocks, std::numeric_limits<std::size_t>::max());
  for (std::size_t i = 0; i < placing.times.blocks.size(); ++i)
    if (const std::uint64_t block = placing.times.blocks[i].block; block < blocks) placing.index[block] = i;
  for (std::uint64_t block = 0; block < blocks; ++block)
    if (placing.waits(block)) {
      placing.waiting.push_back(block);
      if (const auto called = placing.called(block)) placing.calls.push_back(*called);
    }
  std::ranges::sort(placing.calls);
  return placing;
}

}  // namespace warpwalk::story
