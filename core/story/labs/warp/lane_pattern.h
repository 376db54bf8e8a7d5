#pragma once

// This folder has the labs about the lanes of a warp: "coalescing", "bank-conflicts" and "divergence".

#include <array>
#include <cstdint>

namespace warpwalk::story {

/// The addresses of the 32 lanes of a warp in one load or store.
struct LanePattern {
  std::array<std::uint64_t, 32> at{};
  int bytes = 4;  ///< per lane
};

/// Which lane takes which element of an access to global memory.
enum class LaneOrder : std::uint8_t {
  in_order,   ///< lane i takes element i
  reversed,   ///< lane i takes element 31 - i
  swapped,    ///< neighbours are exchanged
  shuffled,   ///< lane i takes element 7 i mod 32
  scattered,  ///< any of 65,536 elements, as a hash of the lane says; without stride
};
constexpr std::size_t lane_orders = 5;

/// Lane i accesses element `offset` + `stride` * i of an array that begins at a multiple of 128 bytes.
LanePattern global_pattern(std::int64_t stride, std::int64_t offset, int bytes, LaneOrder order);

/// The bytes that at least one lane asks for.
std::int64_t distinct_bytes(const LanePattern& pattern);

/// How a warp walks over a tile of 32 x 32 elements in shared memory.
enum class TileWalk : std::uint8_t { row, column, diagonal };
constexpr std::size_t tile_walks = 3;
constexpr std::int64_t tile_side = 32;

/// How such a tile lies in shared memory.
struct TileLayout {
  int bytes = 4;             ///< per element
  std::int64_t padding = 0;  ///< unused elements after each row
  bool swizzled = false;     ///< element (r, c) lies in column c ^ r
};

/// The offset of an element in shared memory, in bytes.
std::uint64_t tile_offset(const TileLayout& layout, std::int64_t row, std::int64_t column);
/// The element of the tile that a lane accesses: row and column. `which`: the row, the column or the diagonal.
std::array<std::int64_t, 2> tile_element(TileWalk walk, std::int64_t which, std::int64_t lane);
LanePattern tile_pattern(const TileLayout& layout, TileWalk walk, std::int64_t which);

}  // namespace warpwalk::story
