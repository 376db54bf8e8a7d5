#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/gpu/exec/launch.h"

namespace warpwalk::gpu {

/// A part of a grid whose blocks are likely to do the same, and some of them, spread over it.
struct BlockSample {
  std::uint64_t blocks = 0;           ///< in the part
  std::vector<std::uint64_t> chosen;  ///< indices of blocks in the grid: x + grid x * (y + grid y * z)
};

/// Divides a grid into its first, inner and last blocks in each axis, since tiles at an edge do more or less work than
/// others, and chooses about `most` blocks in all, at least one per part. With few of them, only the last blocks of an
/// axis are apart from the others, or none.
std::vector<BlockSample> sample_blocks(const std::array<std::uint32_t, 3>& grid, std::uint64_t most);

/// Whether the blocks of a launch run one after another, so that some of them can be run alone: they form no clusters
/// and do not wait for each other.
bool can_run_alone(const Program& program, const Launch& launch);

/// simulate() with these blocks of the grid only. Fails for launches whose blocks cannot run alone.
base::Result<Simulation> simulate_blocks(const Device& device, const Program& program, Launch& launch,
                                         std::span<const std::uint64_t> blocks, const SimulateOptions& options = {});

/// The counters times a factor, rounded.
Counters scaled(const Counters& counters, double factor);

}  // namespace warpwalk::gpu
