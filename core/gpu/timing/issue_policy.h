#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Which of its eligible warps a scheduler picks.
enum class IssuePolicy : std::uint8_t {
  greedy_then_youngest,  ///< the warp that issued last, else the one that started last (CGGTY: found on Turing, Ampere
                         ///< and Blackwell by Huerta et al., MICRO 2025)
  greedy_then_oldest,    ///< the warp that issued last, else the one that started first
  loose_round_robin,     ///< the next one in a circle
  one_at_a_time,         ///< the warp that issued last until it ends, waits for other warps or has issued
                         ///< `most_in_a_row` instructions: what a processor without latency hiding does
};

/// A warp may wait in a loop for one that cannot issue meanwhile, so one_at_a_time must let the others go on.
constexpr std::uint32_t most_in_a_row = 20'000;

}  // namespace warpwalk::gpu
