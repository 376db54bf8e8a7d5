#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/bank_conflicts.h"

namespace warpwalk::gpu {

/// Number of distinct 32-byte sectors that the active lanes access. Each lane accesses `bytes` (1 to 16) at an aligned
/// address.
int count_sectors(const std::uint64_t* addresses, std::uint32_t mask, int bytes);

/// Cached cost of an instruction's last access and its address pattern. Loops repeat patterns at shifted addresses.
/// Bank conflicts and sector counts stay the same if the first address has the same alignment.
struct AccessCost {
  std::uint64_t low = ~std::uint64_t{0};  ///< low bits of the first address that affect the cost
  std::uint64_t offsets[32] = {};         ///< each lane's distance from the first
  Wavefronts waves;                       ///< shared memory
  int sectors = 0;                        ///< global memory
};

/// The same for 32-bit words in shared memory, with 32-bit offsets.
struct WordPattern {
  enum class Shape : std::uint8_t { any, uniform, rising };
  std::uint32_t offsets[32] = {};
  Wavefronts waves;
  Shape shape = Shape::any;
  bool known = false;
};

/// Costs of all accesses of a program, for one host thread. Used for fully active warps only.
class AccessCostCache {
 public:
  explicit AccessCostCache(std::size_t accesses) : shared_(accesses), global_(accesses), words_(accesses) {}

  /// `bytes` is the width per lane (more than a word for merged loads); 0: nothing is counted.
  const WordPattern& words(std::size_t access, const std::uint32_t* at, int bytes, bool store) {
    WordPattern& cost = words_[access];
    std::uint32_t different = cost.known ? 0 : 1;
    for (int lane = 0; lane < 32; ++lane) different |= cost.offsets[lane] ^ (at[lane] - at[0]);
    if (different != 0) learn(cost, at, bytes, store);
    return cost;
  }

  Wavefronts shared(std::size_t access, const std::uint64_t* at, std::uint32_t mask, int bytes, bool store) {
    if (mask != 0xffffffff) return wavefronts_of(at, mask, bytes, store);
    AccessCost& cost = shared_[access];
    if (!same(cost, at, at[0] % 4)) {
      cost.waves = wavefronts_of(at, mask, bytes, store);
      remember(cost, at, at[0] % 4);
    }
    return cost.waves;
  }

  int global(std::size_t access, const std::uint64_t* at, std::uint32_t mask, int bytes) {
    if (mask != 0xffffffff) return count_sectors(at, mask, bytes);
    AccessCost& cost = global_[access];
    if (!same(cost, at, at[0] % 32)) {
      cost.sectors = count_sectors(at, mask, bytes);
      remember(cost, at, at[0] % 32);
    }
    return cost.sectors;
  }

 private:
  static bool same(const AccessCost& cost, const std::uint64_t* at, std::uint64_t low) {
    const std::uint64_t first = at[0];
    std::uint64_t different = cost.low ^ low;
    for (int lane = 0; lane < 32; ++lane) different |= cost.offsets[lane] ^ (at[lane] - first);
    return different == 0;
  }
  static void remember(AccessCost& cost, const std::uint64_t* at, std::uint64_t low) {
    cost.low = low;
    for (int lane = 0; lane < 32; ++lane) cost.offsets[lane] = at[lane] - at[0];
  }

  static void learn(WordPattern& cost, const std::uint32_t* at, int bytes, bool store);

  std::vector<AccessCost> shared_, global_;  ///< both: a generic access may use either space
  std::vector<WordPattern> words_;
};

}  // namespace warpwalk::gpu
