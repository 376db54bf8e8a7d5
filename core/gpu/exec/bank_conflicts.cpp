#include "core/gpu/exec/bank_conflicts.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpwalk::gpu {

namespace {

constexpr int bank_count = 32;

/// Passes for lanes that are served together: the maximum number of distinct words in one bank.
int passes_of(const std::uint64_t* addresses, std::uint32_t mask, int words) {
  std::array<std::array<std::uint64_t, 32>, bank_count> seen;
  std::array<std::uint8_t, bank_count> count{};
  int maximum = 0;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint64_t first = addresses[std::countr_zero(mask)] / 4;
    for (int i = 0; i < words; ++i) {
      const std::uint64_t word = first + static_cast<std::uint64_t>(i);
      const auto bank = static_cast<std::size_t>(word % bank_count);
      const auto begin = seen[bank].begin(), end = begin + count[bank];
      if (std::find(begin, end, word) != end) continue;
      *end = word;
      maximum = std::max<int>(maximum, ++count[bank]);
    }
  }
  return maximum;
}

/// True if each active lane and the lane ^ distance, if active, access the same address.
bool paired(const std::uint64_t* addresses, std::uint32_t mask, int distance) {
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const int other = lane ^ distance;
    if ((mask >> other & 1) != 0 && addresses[lane] != addresses[other]) return false;
  }
  return true;
}

/// Detects the most common conflict-free patterns: all lanes access the same word, or consecutive words.
bool one_pass(const std::uint64_t* addresses) {
  const std::uint64_t first = addresses[0];
  std::uint64_t uneven = 0, rising = 0;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    uneven |= addresses[lane] ^ first;
    rising |= addresses[lane] ^ (first + 4 * lane);
  }
  return uneven == 0 || rising == 0;
}

/// True if the lanes' accesses lie one behind the other.
bool adjacent(const std::uint64_t* addresses, std::uint64_t bytes) {
  std::uint64_t differences = 0;
  for (std::uint64_t lane = 0; lane < 32; ++lane) differences |= addresses[lane] ^ (addresses[0] + lane * bytes);
  return differences == 0;
}

}  // namespace

Wavefronts wavefronts_of(const std::uint64_t* addresses, std::uint32_t mask, int bytes, bool store) {
  if (mask == 0xffffffff && bytes == 4 && one_pass(addresses)) return {1, 0};
  if (mask == 0xffffffff && (bytes == 8 || bytes == 16) && adjacent(addresses, static_cast<std::uint64_t>(bytes)))
    return {.passes = bytes / 4, .conflicts = 0};
  Wavefronts total;
  const int words = std::max(1, bytes / 4);
  // A pass transfers 128 bytes: half a warp at 8 bytes per lane, a quarter at 16.
  const int together = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  const auto take = [&](std::uint32_t part) {
    const int passes = passes_of(addresses, part, words);
    if (passes == 0) return;
    total.passes += passes;
    total.conflicts += passes - 1;
  };
  if (together == 32) {
    take(mask);
    return total;
  }
  for (int first = 0; first < 32; first += 2 * together) {
    const std::uint32_t pair = together == 16 ? 0xffffffff : 0xffffu << first;
    const std::uint32_t part = mask & pair;
    if (!store && (paired(addresses, part, 1) || paired(addresses, part, 2))) {
      take(part);
      continue;
    }
    const std::uint32_t half = together == 16 ? 0xffffu : 0xffu << first;
    take(part & half);
    take(part & ~half);
  }
  return total;
}

}  // namespace warpwalk::gpu
