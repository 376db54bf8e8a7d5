#pragma once

#include <cstdint>
#include <cstring>

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

/// An mbarrier as the hardware keeps it: machine code that initializes it computes these bits, and
/// mbarrier.pending_count reads them. PTX has the same bits on every architecture. Counts are negative, so that the
/// last arrival carries into the phase, bit 63.
///
/// Since sm_90, bits 1 to 20 are the expected arrivals, 21 to 42 the pending bytes, 43 to 62 the pending arrivals.
struct Layout90 {
  static constexpr unsigned expected_shift = 1, bytes_shift = 21, pending_shift = 43, phase_shift = 63;
  static constexpr std::uint64_t bytes_mask = (1u << 22) - 1;

  static std::uint32_t count_at(std::uint64_t bits, unsigned shift) {
    return static_cast<std::uint32_t>(-(bits >> shift)) & MbarrierState::maximum;
  }
  static MbarrierState state_of(std::uint64_t bits) {
    MbarrierState state;
    state.expected = count_at(bits, expected_shift);
    state.pending = count_at(bits, pending_shift);
    state.pending_bytes = static_cast<std::int32_t>(static_cast<std::int64_t>(bits << (64 - pending_shift)) >>
                                                    (64 - pending_shift + bytes_shift));
    state.odd = bits >> phase_shift != 0;
    return state;
  }
  static std::uint64_t bits_of(const MbarrierState& state) {
    const auto count = [](std::uint32_t value) { return std::uint64_t{(0u - value) & MbarrierState::maximum}; };
    const std::uint64_t bytes = static_cast<std::uint64_t>(std::int64_t{state.pending_bytes}) & bytes_mask;
    return count(state.expected) << expected_shift | bytes << bytes_shift | count(state.pending) << pending_shift |
           std::uint64_t{state.odd} << phase_shift;
  }
};

/// In machine code before sm_90, bits 0 to 29 are the expected arrivals and 32 to 62 the pending ones.
struct Layout80 {
  static constexpr std::uint32_t expected_mask = (1u << 30) - 1, pending_mask = (1u << 31) - 1;

  static MbarrierState state_of(std::uint64_t bits) {
    MbarrierState state;
    state.expected = (0u - static_cast<std::uint32_t>(bits)) & expected_mask;
    state.pending = (0u - static_cast<std::uint32_t>(bits >> 32)) & pending_mask;
    state.odd = bits >> 63 != 0;
    return state;
  }
  static std::uint64_t bits_of(const MbarrierState& state) {
    return ((0u - state.expected) & expected_mask) | std::uint64_t{(0u - state.pending) & pending_mask} << 32 |
           std::uint64_t{state.odd} << 63;
  }
};

/// The bits of the mbarrier at a place in shared memory.
inline std::uint64_t mbarrier_bits(const std::uint8_t* place) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, place, sizeof bits);
  return bits;
}

/// Bytes that an mbarrier of machine code waits for have arrived: `barrier` points to its 8 bytes. Ends its phase if
/// nothing else is pending.
void complete_bytes(std::uint8_t* barrier, std::uint32_t bytes);
/// True while the phase of such a barrier is odd.
bool is_odd_phase(const std::uint8_t* barrier);

}  // namespace warpwalk::gpu
