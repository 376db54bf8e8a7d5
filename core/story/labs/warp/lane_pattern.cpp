#include "core/story/labs/warp/lane_pattern.h"

#include <set>

#include "core/run/launch/generate.h"

namespace warpwalk::story {

std::int64_t GlobalAccess::element(std::int64_t lane) const {
  switch (order) {
    case LaneOrder::in_order: break;
    case LaneOrder::reversed: return offset + stride * (31 - lane);
    case LaneOrder::swapped: return offset + stride * (lane ^ 1);
    case LaneOrder::shuffled: return offset + stride * (7 * lane % 32);
    case LaneOrder::scattered:
      return static_cast<std::int64_t>(run::splitmix64(1, static_cast<std::uint64_t>(lane)) % 65536);
    case LaneOrder::broadcast: return offset;
  }
  return offset + stride * lane;
}

LanePattern global_pattern(const GlobalAccess& access) {
  LanePattern pattern;
  pattern.bytes = access.bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane)
    pattern.at[static_cast<std::size_t>(lane)] =
        static_cast<std::uint64_t>(access.element(lane) * access.element_bytes());
  return pattern;
}

std::int64_t distinct_bytes(const LanePattern& pattern) {
  // Accesses are aligned to their width, so two of them are equal or disjoint.
  const std::set<std::uint64_t> places(pattern.at.begin(), pattern.at.end());
  return static_cast<std::int64_t>(places.size()) * pattern.bytes;
}

std::uint64_t tile_offset(const TileLayout& layout, std::int64_t row, std::int64_t column) {
  const std::int64_t place = layout.swizzled ? column ^ row : column;
  return static_cast<std::uint64_t>((row * (tile_side + layout.padding) + place) * layout.bytes);
}

std::array<std::int64_t, 2> tile_element(TileWalk walk, std::int64_t which, std::int64_t lane) {
  switch (walk) {
    case TileWalk::row: return {which, lane};
    case TileWalk::column: return {lane, which};
    case TileWalk::diagonal: return {lane, (lane + which) % tile_side};
    case TileWalk::pairs: return {which, lane / 2};
    case TileWalk::element: return {which / tile_side, which % tile_side};
  }
  return {};
}

LanePattern tile_pattern(const TileLayout& layout, TileWalk walk, std::int64_t which) {
  LanePattern pattern;
  pattern.bytes = layout.bytes;
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    const auto [row, column] = tile_element(walk, which, lane);
    pattern.at[static_cast<std::size_t>(lane)] = tile_offset(layout, row, column);
  }
  return pattern;
}

}  // namespace warpwalk::story
