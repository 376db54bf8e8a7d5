#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/machine/warp.h"
#include "core/gpu/exec/shadow/shared_shadow.h"

namespace warpwalk::gpu {

/// State of one of a block's 16 barriers.
struct BarrierState {
  std::uint32_t arrived = 0;   ///< threads that have arrived
  std::uint32_t expected = 0;  ///< threads that must arrive; 0: all live threads
  bool in_use = false;
  std::uint32_t popc = 0;  ///< bar.red: threads whose predicate is true
  bool all = true, any = false;
};

/// The last instructions on an mbarrier of the block. Reports of deadlocks name them.
struct MbarrierUse {
  /// A warp's last arrival.
  struct Arrival {
    std::uint32_t block = 0, warp = 0;  ///< rank in the cluster, number in the block
    std::uint32_t instruction = 0, phase = 0;
  };
  std::uint32_t offset = 0;  ///< in the block's shared window
  std::uint32_t phase = 0;   ///< completed phases
  bool odd = false;          ///< parity of the current one
  std::vector<Arrival> arrivals;
  Arrival expectation{.instruction = no_index};  ///< announced bytes last
  Arrival copy{.instruction = no_index};         ///< a copy that brought bytes last
};
/// What an instruction does to an mbarrier.
enum class MbarrierStep : std::uint8_t { arrives, expects, arrives_and_expects, copies };

struct ClusterState;

/// State of a running thread block (CTA).
struct BlockState {
  static constexpr int barrier_count = Warp::barrier_count;

  std::uint64_t index = 0;
  std::array<std::uint32_t, 3> id{};
  std::uint32_t live_threads = 0;
  std::uint64_t issued_operations = 0;  ///< its clock: operations issued by its warps
  std::vector<std::uint8_t> shared;     ///< shared memory, from offset shared_begin
  std::vector<Warp> warps;
  std::array<BarrierState, barrier_count> barriers;
  std::vector<MbarrierUse> mbarriers;
  std::vector<std::uint8_t> reserved;    ///< the reserved bytes from offset 0 on; empty if the kernel does not use them
  ClusterState* cluster = nullptr;       ///< null for a kernel that does not use clusters
  std::uint32_t cluster_rank = 0;        ///< in its cluster
  std::uint32_t shared_base = 0;         ///< its rank, as part of addresses in the shared window
  std::uint32_t first_warp = 0;          ///< index of its first warp in `shadow`
  std::shared_ptr<SharedShadow> shadow;  ///< shared by the blocks of a cluster; null without the sanitizer
  std::vector<Touch> remote_touches;     ///< each warp's last access to its memory from another block of the cluster
  std::uint32_t idle_rounds = 0;         ///< consecutive rounds in which every warp only spun
  bool changed_memory = false;           ///< while they spun, since the last turn: then they do not wait for nothing
};

/// The blocks of a running cluster and the state of their barrier (barrier.cluster).
struct ClusterState {
  std::vector<BlockState*> blocks;  ///< by rank
  std::uint32_t arrived = 0;        ///< live threads that have arrived in the current phase
  std::uint32_t phase = 0;          ///< number of completed phases

  std::uint32_t live_threads() const {
    std::uint32_t sum = 0;
    for (const BlockState* const block : blocks) sum += block->live_threads;
    return sum;
  }
};

}  // namespace warpwalk::gpu
