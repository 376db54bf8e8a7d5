#pragma once

#include <cstdint>

#include "core/base/result.h"
#include "core/gpu/alu/alu.h"

namespace warpwalk::gpu {

/// The instruction sets that the loops over 32 lanes are compiled for. All give bit-identical results.
enum class Isa : std::uint8_t {
  baseline,  ///< available on every processor of this architecture
  wide,      ///< x86-64 with AVX2 and FMA
};

/// The best instruction set of the host processor.
Isa host_isa();

/// find_alu for a given instruction set, for tests and benchmarks. `wide` requires host_isa() to be `wide`.
base::Result<Alu> find_alu(const ptx::Function& function, const ptx::Instruction& instruction, Isa isa);

}  // namespace warpwalk::gpu
