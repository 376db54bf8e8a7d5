#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// Which of its eligible warps a scheduler picks.
enum class IssuePolicy : std::uint8_t {
  greedy_then_youngest,  ///< the warp that issued last, else the one that started last (CGGTY: found on Turing, Ampere
                         ///< and Blackwell by Huerta et al., MICRO 2025)
  greedy_then_oldest,    ///< the warp that issued last, else the one that started first
  loose_round_robin,     ///< the next one in a circle
};

}  // namespace warpwalk::gpu
