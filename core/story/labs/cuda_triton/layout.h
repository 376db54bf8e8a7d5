#pragma once

// How Triton's compiler spreads the elements of a program instance over registers, lanes and warps.
#include <cstdint>
#include <string>

namespace warpwalk::story {

/// The thread of a block that holds an element, and the register in which it does.
struct Holder {
  int warp = 0, lane = 0, slot = 0;
  friend bool operator==(const Holder&, const Holder&) = default;
};

/// The layout `ttg.blocked` of one dimension, as Triton's pass "coalesce" chooses it for loads and stores.
struct BlockedLayout {
  static constexpr int lanes = 32;  ///< threadsPerWarp
  int elements = 0;                 ///< of the program instance, a power of two
  int per_thread = 1;               ///< sizePerThread: neighbours in one thread
  int warps = 1;                    ///< warpsPerCTA

  int threads() const { return lanes * warps; }
  /// Elements that all threads hold before the pattern starts again.
  int tile() const { return per_thread * threads(); }
  /// Registers of a thread that hold elements.
  int slots() const;
  /// Threads that hold the same element; 1 unless there are more threads than elements.
  int copies() const;
  /// The element in a register of a thread.
  int element(const Holder& holder) const;
  /// The first thread that holds an element. The others hold copies, which they load but do not store.
  Holder holder(int element) const;
  /// "#ttg.blocked<{sizePerThread = [4], ...}>", as the TTGIR has it.
  std::string text() const;
};

/// A thread gets neighbours up to 16 bytes, the widest access, but no more than there are per thread.
BlockedLayout blocked_layout(int elements, int warps, int element_bytes = 4);

/// Elements per load instruction. Triton knows that a mask `i < n` is equal for neighbours only if n is divisible by
/// 16; else each element is loaded alone.
int access_width(const BlockedLayout& layout, std::int64_t n);

}  // namespace warpwalk::story
