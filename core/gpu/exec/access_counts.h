#pragma once

#include <cstdint>

#include "core/gpu/exec/counters.h"

namespace warpwalk::gpu {

/// Accesses to memory by the warps of a launch at one instruction, or by all of them. Defined as in Counters; loads,
/// stores and atomics are counted together.
struct AccessCounts {
  std::uint64_t global_requests = 0, global_sectors = 0;
  std::uint64_t ideal_sectors = 0;  ///< Counters::global_ideal_sectors
  std::uint64_t shared_requests = 0;
  std::uint64_t shared_wavefronts = 0, bank_conflicts = 0;  ///< of loads and stores

  AccessCounts& operator+=(const AccessCounts& other) {
    global_requests += other.global_requests;
    global_sectors += other.global_sectors;
    ideal_sectors += other.ideal_sectors;
    shared_requests += other.shared_requests;
    shared_wavefronts += other.shared_wavefronts;
    bank_conflicts += other.bank_conflicts;
    return *this;
  }
  friend bool operator==(const AccessCounts&, const AccessCounts&) = default;
};

inline AccessCounts accesses_of(const Counters& counters) {
  return {counters.global_load_requests + counters.global_store_requests + counters.global_atomic_requests,
          counters.global_load_sectors + counters.global_store_sectors + counters.global_atomic_sectors,
          counters.global_ideal_sectors,
          counters.shared_load_requests + counters.shared_store_requests + counters.shared_atomic_requests,
          counters.shared_load_wavefronts + counters.shared_store_wavefronts,
          counters.shared_bank_conflicts};
}

/// Counts of one instruction of a program in a launch.
struct InstructionCounts {
  /// By a warp, or by a part of it that diverged; of machine code, or of PTX if the program was made from it. They add
  /// up to Counters::ptx_warp_instructions, in machine code also to warp_instructions.
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;  ///< that executed it: active, and with a true predicate
  std::uint64_t flops = 0;  ///< floating-point operations (run/flops.h)
  AccessCounts accesses;

  friend bool operator==(const InstructionCounts&, const InstructionCounts&) = default;
};

}  // namespace warpwalk::gpu
