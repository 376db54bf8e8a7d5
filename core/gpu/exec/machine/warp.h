#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/exec/shadow/control_dependencies.h"

namespace warpwalk::gpu {

/// A register with bytes that come from local memory which the thread has not written: padding that is copied with an
/// object. Kept until the register has another value.
struct UnwrittenValue {
  std::size_t place = 0;  ///< of the register, in Warp::registers
  const Op* load = nullptr;
  std::uint64_t address = 0;             ///< in local memory, of the first lane that has such bytes
  std::array<std::uint8_t, 32> bytes{};  ///< of each lane, a bit for each byte
};

/// A register that a product of a warp group, or the move of one, may still be writing.
struct ProductRegister {
  std::uint32_t batch = 0;  ///< the warp's group of products
  std::uint32_t instruction = no_index;
};

/// The state of a warp that arrives at the same barrier repeatedly (check_barrier_loop).
struct BarrierWatch {
  const Op* barrier = nullptr;       ///< null: none chosen yet
  const Op* branch = nullptr;        ///< the loop's backward branch; null: nothing can be proved about this barrier
  std::vector<FramePlace> places;    ///< the registers that decide the loop's branches
  std::vector<std::uint8_t> values;  ///< their values at an earlier arrival
  std::uint64_t arrivals = 0;        ///< at this barrier
  std::uint64_t renew = 0;           ///< number of arrivals at which `values` is taken anew
  std::uint32_t elsewhere = 0;       ///< consecutive arrivals at other barriers
};

/// A test whether a phase of an mbarrier has completed.
struct MbarrierTest {
  std::uint32_t instruction = no_index;
  std::uint32_t lanes = 0;
  std::uint64_t address = 0;
  bool odd = false;  ///< parity of the phase
};

enum class SplitState : std::uint8_t {
  unused,
  ready,               ///< can issue operations
  reconverging,        ///< collects the lanes that have arrived at a reconvergence point
  at_barrier,          ///< waits for other threads of the block
  at_warp_sync,        ///< waits for other lanes of the warp
  at_cluster_barrier,  ///< waits for the other blocks of the cluster
  at_warp_group,       ///< waits for the other warps of its warp group
  at_convergence,      ///< waits at a BSYNC for the other lanes of its convergence barrier
};

/// Lanes of a warp that execute together. A warp starts as one split; a divergent branch divides it.
struct Split {
  SplitState state = SplitState::unused;
  std::int8_t parent = -1;              ///< the joining split that this one reconverges into; -1: none
  std::uint8_t parts = 0;               ///< joining: number of splits that have not arrived yet
  std::uint32_t pc = 0;                 ///< next op; joining: the reconvergence point
  std::uint32_t mask = 0;               ///< its lanes; joining: the lanes that have arrived
  std::uint32_t frame = 0, local = 0;   ///< byte offsets of its function's registers and stack
  std::uint32_t reconverge = no_index;  ///< op at which it reconverges into its parent
  /// What it waits for: the barrier's number, the member mask of the .sync instruction, or how often the other warps of
  /// the warp group must have arrived.
  std::uint32_t barrier = 0;
  std::uint32_t spins = 0;    ///< iterations of a loop that polls memory
  std::int64_t priority = 0;  ///< the ready split with the highest order runs first
};

/// Observations of a long-running warp (infinite_loop.h).
struct LoopWatch {
  LoopWatch() = default;
  LoopWatch(const LoopWatch& other)
      : next(other.next),
        round(other.round),
        repetitions(other.repetitions),
        barrier(other.barrier != nullptr ? std::make_unique<BarrierWatch>(*other.barrier) : nullptr) {}
  LoopWatch(LoopWatch&&) = default;
  LoopWatch& operator=(LoopWatch&&) = default;
  ~LoopWatch() = default;

  std::uint64_t next = 0;                 ///< value of Warp::issued at which to check again
  std::uint64_t round = 0;                ///< hash of the state that decides the branches of one loop iteration
  std::uint32_t repetitions = 0;          ///< number of consecutive checks with the same hash
  std::unique_ptr<BarrierWatch> barrier;  ///< null until it waits at a barrier after many operations
};

/// State of a warp: its splits, registers and stacks.
struct alignas(64) Warp {
  /// A fully diverged warp has at most 32 running and 31 joining splits.
  static constexpr int split_limit = 64;
  static constexpr int barrier_count = 16;  ///< of a block

  // What every instruction needs, in as few of the host's cache lines as possible.
  std::uint32_t live_lanes = 0;
  int splits_in_use = 0;                ///< splits from this index on have not been used since the warp started
  std::vector<std::uint8_t> registers;  ///< stack of register frames
  std::vector<std::uint8_t> special;    ///< SlotSpace::special
  std::uint32_t id = 0;                 ///< index in its block
  std::array<Split, split_limit> splits;
  std::uint64_t issued_operations = 0;  ///< operations issued so far
  std::uint32_t lanes_at_start = 0;     ///< mask; a block's last warp may have fewer than 32
  std::uint32_t carry = 0;              ///< CC.CF of each lane
  bool polled_memory = false;           ///< made a volatile, atomic or similar access since its last backward branch
  bool changed_memory = false;          ///< gave memory another value while it polled, since its last pause for that
  MbarrierTest failed_test;             ///< its last test of an mbarrier, if that failed
  std::uint32_t ended_at = no_index;    ///< the instruction that ended its last lanes
  std::array<std::uint32_t, barrier_count> barrier_uses{};  ///< by barrier: its last instruction there, or no_index
  LoopWatch watch;                                          ///< for the detection of infinite loops
  std::int64_t last_priority = 0;                           ///< highest Split::order so far
  std::uint32_t cluster_arrived = 0;        ///< lanes that have arrived at the cluster's barrier and not waited yet
  std::uint32_t cluster_pending = 0;        ///< those of them whose phase is not complete
  std::uint32_t group_arrivals = 0;         ///< WARPGROUP.ARRIVE so far
  std::uint32_t group_commits = 0;          ///< groups of matrix products of its warp group so far
  std::vector<std::uint32_t> stack;         ///< local memory: word w of lane l at [w * 32 + l]
  std::vector<std::uint8_t> stack_written;  ///< one flag per byte of `stack`; empty without the sanitizer

  std::vector<UnwrittenValue> unwritten;  ///< with the sanitizer
  /// With the sanitizer, from PTX: by place in `registers`.
  std::unordered_map<std::size_t, ProductRegister> product_registers;
  /// Likewise: the instructions that have written registers since the last wgmma.fence.
  std::unordered_map<std::size_t, std::uint32_t> unfenced_registers;
  bool fenced_since_wait = false;  ///< wgmma.fence, since the last wgmma.wait_group
  bool done() const { return live_lanes == 0; }
  std::span<Split> used_splits() { return {splits.data(), static_cast<std::size_t>(splits_in_use)}; }
  std::span<const Split> used_splits() const { return {splits.data(), static_cast<std::size_t>(splits_in_use)}; }
};

}  // namespace warpwalk::gpu
