#pragma once

#include "core/gpu/alu/per_lane.h"

namespace warpwalk::gpu::alu {

/// d = F(form, in, out, a, b, c), for instructions that read and write flags beside their values. Bit 0 of `in` is the
/// lane's predicate_in, bit 1 its carry_in. Bits 0 and 1 of `out` become predicate_out and predicate_out2.
template <auto F>
struct Flagged;

template <class D, class... S, D (*F)(u64, u32, u32&, S...)>
struct Flagged<F> {
  static void run(AluCall& call) { run(call, std::index_sequence_for<S...>()); }

  static Alu alu(u64 form) {
    constexpr std::array<int, 4> bytes = {static_cast<int>(sizeof(S))...};
    return {.run = &run,
            .d_bytes = sizeof(D),
            .a_bytes = bytes[0],
            .b_bytes = bytes[1],
            .c_bytes = bytes[2],
            .writes_predicate = true,
            .reads_predicate = true,
            .immediate = form};
  }

 private:
  template <std::size_t... I>
  static void run(AluCall& call, std::index_sequence<I...>) {
    const std::array<const void*, 4> sources = {call.a, call.b, call.c, call.e};
    u32 first = 0, second = 0;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      const u32 in = (call.predicate_in >> lane & 1) | (call.carry_in >> lane & 1) << 1;
      u32 out = 0;
      store<D>(call.d, lane, F(call.immediate, in, out, load<S>(sources[I], lane)...));
      first |= (out & 1) << lane;
      second |= (out >> 1 & 1) << lane;
    }
    call.predicate_out = first;
    call.predicate_out2 = second;
  }
};

}  // namespace warpwalk::gpu::alu
