#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/gpu/exec/bank_conflicts.h"

namespace warpwalk::gpu {

/// Event counts of a launch, defined as in Nsight Compute. None of them depends on timing.
struct Counters {
  std::uint64_t ptx_warp_instructions = 0;  ///< PTX instructions, counted once per warp
  std::uint64_t warp_instructions = 0;      ///< estimated machine instructions after ptxas (instruction_estimate.h)
  std::uint64_t thread_instructions = 0;    ///< the same, counted once per active lane (smsp__thread_inst_executed)

  std::uint64_t global_load_requests = 0;  ///< warp instructions with at least one active lane (L1 requests)
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_load_sectors = 0;  ///< distinct 32-byte sectors per request
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0;  ///< atom and red instructions
  std::uint64_t global_atomic_sectors = 0;
  /// Sectors that the same lanes would need if their elements were adjacent and aligned; never more than they needed.
  std::uint64_t global_ideal_sectors = 0;
  std::uint64_t shared_atomic_requests = 0;
  std::uint64_t local_load_requests = 0, local_store_requests = 0;

  std::uint64_t shared_load_requests = 0, shared_store_requests = 0;
  std::uint64_t shared_load_wavefronts = 0;  ///< passes over the 32 banks
  std::uint64_t shared_store_wavefronts = 0;
  std::uint64_t shared_bank_conflicts = 0;  ///< wavefronts beyond those that the access width requires

  std::uint64_t blocks = 0, warps = 0;
  /// Warp-level issues of each PTX instruction, indexed by PTX line. Covers the entry and every function it can reach.
  std::vector<std::uint64_t> issued_by_line;

  Counters& operator+=(const Counters& other);

  /// Counts the sectors of a request of global memory: in `kind`, one of the counts of sectors, and the ideal ones.
  /// `lanes` access `bytes` each.
  void add_sectors(std::uint64_t Counters::*kind, std::uint64_t sectors, int lanes, int bytes) {
    constexpr std::uint64_t sector_bytes = 32;
    const std::uint64_t adjacent = static_cast<std::uint64_t>(lanes) * static_cast<std::uint64_t>(bytes);
    this->*kind += sectors;
    global_ideal_sectors += std::min(sectors, (adjacent + sector_bytes - 1) / sector_bytes);
  }
  /// Counts a load or store instruction of shared memory.
  void add_shared_request(bool store) { ++(store ? shared_store_requests : shared_load_requests); }
  /// Counts the passes of an access to shared memory.
  void add_wavefronts(bool store, const Wavefronts& waves) {
    (store ? shared_store_wavefronts : shared_load_wavefronts) += static_cast<std::uint64_t>(waves.passes);
    shared_bank_conflicts += static_cast<std::uint64_t>(waves.conflicts);
  }
};

}  // namespace warpwalk::gpu
