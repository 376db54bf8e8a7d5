#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// State of an mbarrier (PTX ISA 9.0, "mbarrier"): 64 bits in shared memory that are opaque to programs. A phase
/// completes when no arrival is pending and all expected bytes have arrived. The next phase then starts with `expected`
/// pending arrivals.
struct MbarrierState {
  static constexpr std::uint32_t maximum = (1u << 20) - 1;  ///< limit of the arrival counts and of |bytes|

  std::uint32_t expected = 0;      ///< arrivals per phase
  std::uint32_t pending = 0;       ///< pending arrivals of the current phase
  std::int32_t pending_bytes = 0;  ///< pending bytes; negative if bytes arrived before they were announced
  bool odd = false;                ///< the phase's parity

  static MbarrierState of(std::uint64_t bits) {
    MbarrierState state;
    state.expected = static_cast<std::uint32_t>(bits) & maximum;
    state.pending = static_cast<std::uint32_t>(bits >> 20) & maximum;
    state.pending_bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(bits << 1) >> 41);
    state.odd = bits >> 63 != 0;
    return state;
  }
  std::uint64_t bits() const {
    const std::uint64_t tx = static_cast<std::uint64_t>(static_cast<std::int64_t>(pending_bytes)) & 0x7fffff;
    return std::uint64_t{expected} | std::uint64_t{pending} << 20 | tx << 40 | std::uint64_t{odd} << 63;
  }
  /// Adds announced bytes; those that have arrived are subtracted. Kernels can pass any number.
  void expect_bytes(std::uint32_t bytes) {
    pending_bytes = static_cast<std::int32_t>(static_cast<std::uint32_t>(pending_bytes) + bytes);
  }
  void end_phase_if_complete() {
    if (pending != 0 || pending_bytes != 0) return;
    pending = expected;
    odd = !odd;
  }
};

}  // namespace warpwalk::gpu
