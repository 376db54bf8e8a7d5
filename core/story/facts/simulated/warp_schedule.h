#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwalk::story {

/// Warps of one scheduler that all run the same endless code: each has a number of independent chains, in which an
/// instruction needs the result of the one before it.
struct WarpLoad {
  std::int64_t warps = 1;
  std::int64_t independent = 1;  ///< chains per warp
  std::int64_t latency = 4;      ///< cycles from the issue of an instruction until the next of its chain can be issued
};

/// The state of a warp in a cycle.
enum class WarpCycle : std::uint8_t { waits, ready, issues };

/// The state of every warp in every cycle: [warp][cycle]. The scheduler issues one instruction per cycle, of the ready
/// warp that has not issued for the longest time; a warp issues in order.
std::vector<std::vector<WarpCycle>> warp_schedule(const WarpLoad& load, std::size_t cycles);

/// Instructions per cycle in the long run, 0 to 1: Little's law, instructions in flight / latency.
double issue_rate(const WarpLoad& load);

/// The fewest warps for which an instruction is issued in every cycle.
std::int64_t enough_warps(std::int64_t independent, std::int64_t latency);

}  // namespace warpwalk::story
