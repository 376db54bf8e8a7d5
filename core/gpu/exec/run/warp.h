#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

enum class SplitState : std::uint8_t {
  unused,
  ready,         ///< can issue
  joining,       ///< holds the lanes that have come to where its parts meet again
  at_barrier,    ///< waits for other threads of the block
  at_warp_sync,  ///< waits for other lanes of the warp
};

/// Lanes of a warp that are at one place. A warp begins as one; a branch that its lanes take differently parts it.
struct Split {
  SplitState state = SplitState::unused;
  std::int8_t parent = -1;             ///< the joining split that waits for this one; -1: none
  std::uint8_t parts = 0;              ///< joining: how many splits are still to come
  std::uint32_t pc = 0;                ///< op; joining: where its parts meet
  std::uint32_t mask = 0;              ///< lanes; joining: those that have arrived
  std::uint32_t frame = 0, local = 0;  ///< bytes: its function's registers, its stack
  std::uint32_t reconverge = nowhere;  ///< where this one goes back into its parent
  std::uint32_t barrier = 0;           ///< number of the barrier it waits at
  std::uint32_t spins = 0;             ///< turns round a loop that waits for memory
  std::int64_t order = 0;              ///< of several ready ones the highest goes first
};

/// What has been seen of a warp that has run for long (endless.h).
struct LoopWatch {
  std::uint64_t next = 0;      ///< instructions issued when it is to be looked at again
  std::uint64_t round = 0;     ///< a hash of what decided the branches of a round of its loop
  std::uint32_t the_same = 0;  ///< how often in a row that was so
};

/// One warp: 32 lanes, their registers and stacks.
struct Warp {
  /// A parted warp has at most 32 ends and 31 joints.
  static constexpr int split_limit = 64;

  std::uint32_t id = 0;              ///< in its block
  std::uint32_t lanes_at_start = 0;  ///< fewer than 32 in a block's last warp
  std::uint32_t alive = 0;
  std::uint32_t carry = 0;   ///< CC.CF of each lane
  std::uint64_t issued = 0;  ///< instructions, as written
  LoopWatch watch;           ///< whether it is in a loop without end
  std::int64_t order = 0;
  bool communicated = false;  ///< since its last backward branch: touched memory as one who waits for others
  std::array<Split, split_limit> splits;
  int splits_used = 0;                      ///< those from here on have never been used since the warp began
  std::vector<std::uint8_t> registers;      ///< frames, one upon the other
  std::vector<std::uint8_t> special;        ///< Bank::special
  std::vector<std::uint32_t> stack;         ///< local memory: word w of lane l at [w * 32 + l]
  std::vector<std::uint8_t> stack_written;  ///< a byte for each byte of it; empty unless the sanitizer wants it

  bool done() const { return alive == 0; }
};

}  // namespace warpwalk::gpu
