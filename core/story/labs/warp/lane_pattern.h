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
  broadcast,  ///< all lanes take element `offset`
};
constexpr std::size_t lane_orders = 6;

/// The layout of the data in memory.
enum class DataLayout : std::uint8_t {
  array,       ///< numbers, one behind the other
  structures,  ///< an array of structures: the first field of each is accessed
  fields,      ///< a structure of arrays, one per field: the first array is accessed
};
constexpr std::size_t data_layouts = 3;

/// An access to global memory: lane i takes number `offset` + `stride` * i of an array that begins at a multiple of 128
/// bytes, or what `order` makes of i.
struct GlobalAccess {
  std::int64_t stride = 1, offset = 0;
  int bytes = 4;  ///< per number
  LaneOrder order = LaneOrder::in_order;
  DataLayout layout = DataLayout::array;
  std::int64_t fields = 4;  ///< of a structure

  /// The element that a lane takes.
  std::int64_t element(std::int64_t lane) const;
  /// The distance of two elements that lie one behind the other.
  std::int64_t element_bytes() const { return layout == DataLayout::structures ? fields * bytes : bytes; }
};
LanePattern global_pattern(const GlobalAccess& access);

/// The bytes that at least one lane asks for.
std::int64_t distinct_bytes(const LanePattern& pattern);

/// How a warp walks over a tile of 32 x 32 elements in shared memory.
enum class TileWalk : std::uint8_t {
  row,
  column,
  diagonal,
  pairs,    ///< of a row, the same element for two neighbouring lanes
  element,  ///< one element for all lanes
};
constexpr std::size_t tile_walks = 5;
constexpr std::int64_t tile_side = 32;

/// How such a tile lies in shared memory.
struct TileLayout {
  int bytes = 4;             ///< per element
  std::int64_t padding = 0;  ///< unused elements after each row
  bool swizzled = false;     ///< element (r, c) lies in column c ^ r
};

/// The offset of an element in shared memory, in bytes.
std::uint64_t tile_offset(const TileLayout& layout, std::int64_t row, std::int64_t column);
/// The element of the tile that a lane accesses: row and column. `which`: the row, the column, the diagonal or the
/// element.
std::array<std::int64_t, 2> tile_element(TileWalk walk, std::int64_t which, std::int64_t lane);
LanePattern tile_pattern(const TileLayout& layout, TileWalk walk, std::int64_t which);

}  // namespace warpwalk::story
