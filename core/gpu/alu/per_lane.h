#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/gpu/alu/alu.h"
#include "core/gpu/alu/isa.h"

/// Turns a function of one lane's values into a function of a warp: a plain loop that compilers vectorize, compiled for
/// each instruction set.
namespace warpwalk::gpu::alu {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

/// One lane's value of a register. Registers are raw bytes, because instructions of any type can read them.
template <class T>
inline T load(const void* values, int lane) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(values) + sizeof(T) * static_cast<std::size_t>(lane), sizeof(T));
  return value;
}

template <class T>
inline void store(void* values, int lane, T value) {
  std::memcpy(static_cast<std::byte*>(values) + sizeof(T) * static_cast<std::size_t>(lane), &value, sizeof(T));
}

/// Calls f(lane) for every lane. The compiler may treat lanes as independent: a destination is either one of the
/// sources, lane for lane, or does not overlap them.
template <class F>
[[gnu::always_inline]] inline void each_lane(F f) {
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (int lane = 0; lane < lanes_per_warp; ++lane) f(lane);
}

/// Packs 32 bytes with the values 0 or 1 into a mask.
inline u32 mask_of(const std::array<u8, lanes_per_warp>& flags) {
  u32 mask = 0;
  if constexpr (std::endian::native == std::endian::little) {
    // Eight flags per step. The product moves the flag of byte i to bit 56 + i, and its terms do not overlap.
    for (int group = 0; group < lanes_per_warp / 8; ++group)
      mask |= static_cast<u32>((load<u64>(flags.data(), group) * 0x0102040810204080U) >> 56) << (8 * group);
  } else {
    for (int lane = 0; lane < lanes_per_warp; ++lane)
      mask |= static_cast<u32>(flags[static_cast<std::size_t>(lane)]) << lane;
  }
  return mask;
}

inline bool bit(u32 mask, int lane) { return (mask >> lane) & 1; }

/// Body::run compiled for each instruction set.
template <class Body>
struct Compiled {
  static void baseline(AluCall& call) { Body::run(call); }
#if defined(__x86_64__)
  [[gnu::target("avx2,fma")]] static void wide(AluCall& call) { Body::run(call); }
#endif

  static AluFunction choose([[maybe_unused]] Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::wide) return &wide;
#endif
    return &baseline;
  }
};

/// d = F(a, b, c, e), with as many sources as F has parameters.
template <auto F>
struct Lanewise;

template <class D, class... S, D (*F)(S...)>
struct Lanewise<F> {
  [[gnu::always_inline]] static void run(AluCall& call) { run(call, std::index_sequence_for<S...>()); }

  static Alu alu(Isa isa) {
    constexpr std::array<int, 4> bytes = {static_cast<int>(sizeof(S))...};
    return {.run = Compiled<Lanewise>::choose(isa),
            .d_bytes = sizeof(D),
            .a_bytes = bytes[0],
            .b_bytes = bytes[1],
            .c_bytes = bytes[2],
            .e_bytes = bytes[3]};
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static void run(AluCall& call, std::index_sequence<I...>) {
    const std::array<const void*, 4> sources = {call.a, call.b, call.c, call.e};
    void* const d = call.d;
    each_lane([&](int lane) { store<D>(d, lane, F(load<S>(sources[I], lane)...)); });
  }
};

/// d = F(immediate, a, b, c). `immediate` encodes the instruction's form and is the same for every lane.
template <auto F>
struct Formed;

template <class D, class... S, D (*F)(u64, S...)>
struct Formed<F> {
  [[gnu::always_inline]] static void run(AluCall& call) { run(call, std::index_sequence_for<S...>()); }

  static Alu alu(Isa isa, u64 immediate) {
    constexpr std::array<int, 4> bytes = {static_cast<int>(sizeof(S))...};
    return {.run = Compiled<Formed>::choose(isa),
            .d_bytes = sizeof(D),
            .a_bytes = bytes[0],
            .b_bytes = bytes[1],
            .c_bytes = bytes[2],
            .e_bytes = bytes[3],
            .immediate = immediate};
  }

 private:
  template <std::size_t... I>
  [[gnu::always_inline]] static void run(AluCall& call, std::index_sequence<I...>) {
    const std::array<const void*, 4> sources = {call.a, call.b, call.c, call.e};
    const u64 immediate = call.immediate;
    void* const d = call.d;
    each_lane([&](int lane) { store<D>(d, lane, F(immediate, load<S>(sources[I], lane)...)); });
  }
};

/// d = F(carry, a, b, c). `carry` is the lane's CC.CF and is read and written.
template <auto F>
struct Carried;

template <class D, class... S, D (*F)(u32&, S...)>
struct Carried<F> {
  static void run(AluCall& call) { run(call, std::index_sequence_for<S...>()); }

 private:
  template <std::size_t... I>
  static void run(AluCall& call, std::index_sequence<I...>) {
    const std::array<const void*, 4> sources = {call.a, call.b, call.c, call.e};
    u32 out = 0;
    for (int lane = 0; lane < lanes_per_warp; ++lane) {
      u32 carry = (call.carry_in >> lane) & 1;
      store<D>(call.d, lane, F(carry, load<S>(sources[I], lane)...));
      out |= carry << lane;
    }
    call.carry_out = out;
  }

 public:
  static Alu alu(bool reads, bool writes) {
    constexpr std::array<int, 4> bytes = {static_cast<int>(sizeof(S))...};
    return {.run = &run,
            .d_bytes = sizeof(D),
            .a_bytes = bytes[0],
            .b_bytes = bytes[1],
            .c_bytes = bytes[2],
            .reads_carry = reads,
            .writes_carry = writes};
  }
};

}  // namespace warpwalk::gpu::alu
