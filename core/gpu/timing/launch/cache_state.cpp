#include "core/gpu/timing/launch/cache_state.h"

#include <algorithm>

#include "core/gpu/timing/launch/warm_memory.h"

namespace warpwalk::gpu {
namespace {

/// A step of a large transfer.
constexpr std::uint64_t step_bytes = std::uint64_t{1} << 20;

}  // namespace

base::Result<CacheState> CacheState::make(const Device& device) {
  auto timing = timing_of(device);
  if (!timing) return base::Error{timing.error()};
  L2 l2(*timing, device);
  l2.end_launch();
  return CacheState(std::move(l2));
}

std::optional<CacheState> CacheState::restored(const Device& device, std::span<const std::uint8_t> saved) {
  auto made = make(device);
  if (!made || !made->l2_.restore(saved)) return {};
  return std::move(*made);
}

void CacheState::pass_part(const Transfer& part) {
  visit_lines({part.address, part.bytes}, [&](std::uint64_t line, std::uint8_t sectors) {
    if (part.by_engine)
      l2_.pass_by_engine(line, sectors, part.writes);
    else
      l2_.pass_by_sm(line, sectors, part.writes);
  });
}

void CacheState::begin_transfer() {
  l2_.begin_step();
  moved_ = 0;
}

void CacheState::count(std::uint64_t bytes) {
  if (moved_ >= step_bytes) begin_transfer();
  moved_ += bytes;
}

void CacheState::pass(const Transfer& transfer) {
  for (std::uint64_t at = 0; at < transfer.bytes; at += step_bytes) {
    const std::uint64_t part = std::min(step_bytes, transfer.bytes - at);
    count(part);
    pass_part({transfer.address + at, part, transfer.writes, transfer.by_engine});
  }
}

void CacheState::copy_within(std::uint64_t from, std::uint64_t to, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at < bytes; at += step_bytes) {
    const std::uint64_t part = std::min(step_bytes, bytes - at);
    count(part);
    pass_part({from + at, part, false, false});
    pass_part({to + at, part, true, false});
  }
}

std::uint64_t CacheState::count_held(const ByteRange& addresses) const {
  std::uint64_t held = 0;
  visit_lines({addresses.begin, addresses.end - addresses.begin},
              [&](std::uint64_t line, std::uint8_t) { held += l2_.holds(line) ? 1 : 0; });
  return held;
}

void CacheState::drop(const std::vector<ByteRange>& addresses) {
  if (addresses.empty()) return;
  constexpr std::uint64_t line_bytes = 128;
  l2_.drop([&](std::uint64_t line) {
    const std::uint64_t at = line * line_bytes;
    if (at >= addresses.back().end || at + line_bytes <= addresses.front().begin) return false;
    const auto range = std::ranges::upper_bound(addresses, at, {}, &ByteRange::end);
    return range != addresses.end() && at + line_bytes > range->begin;
  });
}

}  // namespace warpwalk::gpu
