#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::gpu {

/// What a launch did, counted as Nsight Compute counts it. None of it needs time.
struct Counters {
  std::uint64_t ptx_warp_instructions = 0;  ///< instructions as written, once for each warp that ran them
  std::uint64_t warp_instructions = 0;      ///< after lowering: as many as ptxas would issue (lowering.h)
  std::uint64_t thread_instructions = 0;    ///< the same, once for each active lane (smsp__thread_inst_executed)

  std::uint64_t global_load_requests = 0;  ///< warp instructions with an active lane (L1 requests)
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_load_sectors = 0;  ///< 32 B each, distinct within a request
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0;  ///< atom and red
  std::uint64_t global_atomic_sectors = 0;
  std::uint64_t shared_atomic_requests = 0;
  std::uint64_t local_load_requests = 0, local_store_requests = 0;

  std::uint64_t shared_load_requests = 0, shared_store_requests = 0;
  std::uint64_t shared_load_wavefronts = 0;  ///< passes through the 32 banks
  std::uint64_t shared_store_wavefronts = 0;
  std::uint64_t shared_bank_conflicts = 0;  ///< wavefronts beyond those that the width alone takes

  std::uint64_t blocks = 0, warps = 0;
  /// By instruction of the entry and of the functions it calls (Program order): times that a warp issued it.
  std::vector<std::uint64_t> issued_by_line;  ///< index: line of the PTX

  Counters& operator+=(const Counters& other);
};

}  // namespace warpwalk::gpu
