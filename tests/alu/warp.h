#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "core/gpu/alu/alu.h"
#include "core/gpu/alu/isa.h"
#include "core/ptx/module.h"

namespace warpwalk::gpu {

/// An instruction built by hand. It has as many register operands as its form takes, d first.
struct Form {
  ptx::Opcode opcode = ptx::Opcode::none;
  std::vector<ptx::Type> types{};
  std::vector<ptx::Modifier> modifiers{};
  ptx::Rounding rounding = ptx::Rounding::none;
  ptx::Compare compare = ptx::Compare::none;
  ptx::Action action = ptx::Action::none;
  std::vector<ptx::Type> registers{};  ///< type of each operand's register; empty: as wide as the instruction types
  int operands = 2;
  std::uint64_t table = 0;  ///< the fifth operand of lop3
};

/// The values of a source or of d: 32 lanes of up to 8 bytes.
struct Values {
  alignas(64) std::array<std::uint64_t, lanes_per_warp> bytes{};

  template <class T>
  T get(int lane) const {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(bytes.data()) + sizeof(T) * static_cast<std::size_t>(lane),
                sizeof(T));
    return value;
  }
  template <class T>
  void set(int lane, T value) {
    std::memcpy(reinterpret_cast<char*>(bytes.data()) + sizeof(T) * static_cast<std::size_t>(lane), &value, sizeof(T));
  }
};

/// The instruction of a form, and the function that declares its registers.
struct Built {
  ptx::Function function;
  ptx::Instruction instruction;
};
Built built(const Form& form);

/// Returns find_alu's result for a form. If there is none, fails the test and throws.
Alu alu_of(const Form& form, Isa isa = host_isa());
/// Returns why there is none, or an empty string.
std::string refusal_of(const Form& form);

/// Runs a form on 32 values of each source and returns d as T.
template <class T, class A, class B = A, class C = A>
std::array<T, lanes_per_warp> ran(const Alu& alu, const std::array<A, lanes_per_warp>& a,
                                  const std::array<B, lanes_per_warp>& b = {},
                                  const std::array<C, lanes_per_warp>& c = {}) {
  Values d;
  AluCall call;
  call.d = &d;
  call.a = a.data();
  call.b = b.data();
  call.c = c.data();
  call.immediate = alu.immediate;
  alu.run(call);
  std::array<T, lanes_per_warp> result;
  for (int lane = 0; lane < lanes_per_warp; ++lane) result[static_cast<std::size_t>(lane)] = d.get<T>(lane);
  return result;
}

/// One step of splitmix64, the random number generator of the tests.
std::uint64_t next_random(std::uint64_t& state);

}  // namespace warpwalk::gpu
