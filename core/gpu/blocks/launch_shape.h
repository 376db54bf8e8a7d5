#pragma once

#include <array>
#include <cstdint>

namespace warpwalk::gpu {

// Limits of a launch that are the same for compute capability 3.0 and later (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability"). Threads per block is a parameter of the device.

/// Blocks of a grid in x, y and z.
inline constexpr std::array<std::uint64_t, 3> max_grid = {2147483647, 65535, 65535};
/// Threads of a block in x, y and z.
inline constexpr std::array<std::uint64_t, 3> max_block = {1024, 1024, 64};

/// Sizes in x, y and z; linear numbers count x fastest, as CUDA does.
using Shape = std::array<std::int64_t, 3>;

inline std::int64_t count_of(const Shape& shape) { return shape[0] * shape[1] * shape[2]; }

/// Coordinates of number `i` in a shape without a zero.
inline Shape coordinates_of(std::int64_t i, const Shape& shape) {
  return {i % shape[0], i / shape[0] % shape[1], i / (shape[0] * shape[1])};
}

/// Grid and block of a launch, and the numbers that follow from them.
struct LaunchShape {
  Shape grid{1, 1, 1};
  Shape block{1, 1, 1};

  std::int64_t blocks() const { return count_of(grid); }
  std::int64_t threads_per_block() const { return count_of(block); }
  std::int64_t threads() const { return blocks() * threads_per_block(); }
  std::int64_t warps_per_block(std::int64_t lanes = 32) const { return (threads_per_block() + lanes - 1) / lanes; }
  /// Number in the whole grid of a thread of a block, each by its linear number.
  std::int64_t global_index(std::int64_t in_grid, std::int64_t in_block) const {
    return in_grid * threads_per_block() + in_block;
  }
};

}  // namespace warpwalk::gpu
