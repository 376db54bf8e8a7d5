#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/gpu/exec/machine/block_run.h"
#include "core/gpu/timing/instruction_timing.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/sm_observer.h"

namespace warpwalk::gpu {

/// One of a warp's dependence counters (scoreboards).
struct DependenceState {
  std::uint16_t pending = 0;  ///< results that have not come
  bool from_memory = false;   ///< of global, local or texture memory
  std::uint32_t set_by = 0;   ///< the last instruction that counted it up
  std::int64_t set_at = 0;    ///< the cycle in which it did
};

/// A resident warp at the beginning of a cycle.
struct WarpState {
  WarpPlace place;
  const BlockState* block = nullptr;
  const Warp* warp = nullptr;     ///< its registers, splits and stack
  std::uint32_t instruction = 0;  ///< of the program: the one that it issues next, or is at
  std::uint64_t age = 0;          ///< larger for warps that started later
  StallReason reason = StallReason::wait;
  std::int64_t since = 0;     ///< the reason holds since this cycle
  std::int64_t ready_at = 0;  ///< it does not issue before
  bool exited = false;
  bool at_barrier = false;
  std::uint32_t stores = 0;  ///< not confirmed by L2
  std::array<DependenceState, 6> dependences{};
  std::uint8_t wait_mask = 0;  ///< dependence counters that its next instruction waits for, a bit each
};

/// A request to L2 that has not been answered.
struct RequestState {
  bool store = false, fetch = false;
  std::uint64_t line = 0;    ///< address / 128; fetch: number of the code line
  std::uint8_t sectors = 0;  ///< a bit for each
  std::uint32_t id = 0;
  /// In a replay: the cycle in which the answer comes, and where the data is.
  std::int64_t arrives_at = 0;
  DataSource source = DataSource::l2;
  std::vector<std::uint16_t> slots;  ///< of the warps that wait for it
};

/// The queues of a sub-partition.
struct QueueState {
  int memory = 0;                                       ///< instructions in the MIO queue
  int global = 0;                                       ///< those of them that go to L1
  std::array<std::int64_t, pipe_count> pipe_free_at{};  ///< by pipe: when it takes the next instruction
};

/// The state of an SM at the beginning of a cycle. Its pointers are valid until the SM runs.
struct SmState {
  std::vector<WarpState> warps;  ///< by slot, without free slots
  std::vector<QueueState> sub_partitions;
  std::vector<RequestState> requests;
  std::uint64_t l1_sectors = 0;  ///< present
};

}  // namespace warpwalk::gpu
