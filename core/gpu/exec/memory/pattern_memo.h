#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/exec/memory/bank_conflicts.h"
#include "core/gpu/exec/memory/sectors.h"

namespace warpwalk::gpu {

/// Cached cost of an instruction's last access and its address pattern. Loops repeat patterns at shifted addresses.
/// Bank conflicts and sector counts stay the same if the first address has the same alignment.
struct PatternMemo {
  std::uint64_t low = ~std::uint64_t{0};  ///< low bits of the first address that affect the cost
  std::uint64_t offsets[32] = {};         ///< each lane's distance from the first
  Wavefronts waves;                       ///< shared memory
  int sectors = 0;                        ///< global memory
};

/// The same for 32-bit words in shared memory, with 32-bit offsets.
struct WordMemo {
  enum class Shape : std::uint8_t { any, uniform, rising };
  std::uint32_t offsets[32] = {};
  Wavefronts waves;
  Shape shape = Shape::any;
  bool known = false;
};

/// Memos of all accesses of a program, for one host thread. Used for fully active warps only.
class PatternMemos {
 public:
  explicit PatternMemos(std::size_t accesses) : shared_(accesses), global_(accesses), words_(accesses) {}

  /// `bytes` is the width per lane (more than a word for merged loads); 0: nothing is counted.
  const WordMemo& words(std::size_t access, const std::uint32_t* at, int bytes, bool store) {
    WordMemo& memo = words_[access];
    std::uint32_t different = memo.known ? 0 : 1;
    for (int lane = 0; lane < 32; ++lane) different |= memo.offsets[lane] ^ (at[lane] - at[0]);
    if (different != 0) learn(memo, at, bytes, store);
    return memo;
  }

  Wavefronts shared(std::size_t access, const std::uint64_t* at, std::uint32_t mask, int bytes, bool store) {
    if (mask != 0xffffffff) return wavefronts_of(at, mask, bytes, store);
    PatternMemo& memo = shared_[access];
    if (!same(memo, at, at[0] % 4)) {
      memo.waves = wavefronts_of(at, mask, bytes, store);
      remember(memo, at, at[0] % 4);
    }
    return memo.waves;
  }

  int global(std::size_t access, const std::uint64_t* at, std::uint32_t mask, int bytes) {
    if (mask != 0xffffffff) return sectors_of(at, mask, bytes);
    PatternMemo& memo = global_[access];
    if (!same(memo, at, at[0] % 32)) {
      memo.sectors = sectors_of(at, mask, bytes);
      remember(memo, at, at[0] % 32);
    }
    return memo.sectors;
  }

 private:
  static bool same(const PatternMemo& memo, const std::uint64_t* at, std::uint64_t low) {
    const std::uint64_t first = at[0];
    std::uint64_t different = memo.low ^ low;
    for (int lane = 0; lane < 32; ++lane) different |= memo.offsets[lane] ^ (at[lane] - first);
    return different == 0;
  }
  static void remember(PatternMemo& memo, const std::uint64_t* at, std::uint64_t low) {
    memo.low = low;
    for (int lane = 0; lane < 32; ++lane) memo.offsets[lane] = at[lane] - at[0];
  }

  static void learn(WordMemo& memo, const std::uint32_t* at, int bytes, bool store);

  std::vector<PatternMemo> shared_, global_;  ///< both: a generic access may use either space
  std::vector<WordMemo> words_;
};

}  // namespace warpwalk::gpu
