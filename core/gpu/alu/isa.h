#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "core/gpu/alu/alu.h"

namespace warpwalk::gpu {

/// What the loops over 32 lanes are compiled for. Results are the same to the bit.
enum class Isa : std::uint8_t {
  baseline,  ///< what every processor of this architecture has
  wide,      ///< x86-64 with AVX2 and FMA
};

/// The best that the processor this runs on has.
Isa host_isa();

/// find_alu for a chosen instruction set, for tests and benchmarks; `wide` only where host_isa() is `wide`.
std::variant<Alu, std::string> find_alu(const ptx::Function& function, const ptx::Instruction& instruction, Isa isa);

}  // namespace warpwalk::gpu
