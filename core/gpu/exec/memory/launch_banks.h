#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

/// Offsets in bank 0 of the entry that locates the reserved shared memory of cooperative groups: before sm_90, and
/// since.
constexpr std::uint32_t older_reserved_shared_constant = 0x124, reserved_shared_constant = 0x6c;
constexpr std::uint32_t blackwell_reserved_shared_constant = 0x27c;

/// Writes a value into a bank if it has room for it.
template <class T>
void put_constant(std::vector<std::uint8_t>& bytes, std::size_t offset, T value) {
  if (offset + sizeof value <= bytes.size()) std::memcpy(bytes.data() + offset, &value, sizeof value);
}

/// True if fill_banks() fills these bytes of bank 0 for sm_100 and sm_120, or if nothing depends on them.
bool is_known_blackwell_constant(std::uint32_t offset, std::uint32_t bytes);

/// The constant banks of one launch of machine code.
struct LaunchBanks {
  std::vector<ConstantBank> banks;   ///< bank 0 holds the shape of the launch and its parameters
  std::vector<std::uint8_t> values;  ///< SlotSpace::bank
};

/// fill_banks() for sm_100 and sm_120, without the parameters.
void fill_blackwell_launch(const Program& program, const Launch& launch, std::uint32_t sm_count,
                           std::vector<std::uint8_t>& bytes);

/// Fills the banks as the driver does. `parameters` holds the kernel's parameters from offset 0. In bank 0, compilers
/// find the block size at 0x0, the grid size at 0xc, the generic addresses of shared memory at 0x18 and of local memory
/// at 0x20, the stack pointer at 0x28, the dynamic shared memory in bytes at 0x2c, the number of SMs at 0x10c, the
/// generic address of bank 3 at 0x50 (since sm_90: 0xd0), the address of the cooperative grid's workspace at 0x8c
/// (0x44; upper word first), the offset of the reserved shared memory of cooperative groups at 0x124 (0x6c) and the
/// parameters at 0x160 (0x210). Since sm_90, there is also the cluster from 0x140 on: whether there is one, its
/// extents, their inverses, the clusters of the grid, and at 0x188 its blocks. launch_banks_blackwell.cpp has the
/// places for sm_100 and sm_120, where parameters are at 0x380.
LaunchBanks fill_banks(const Program& program, const Launch& launch, const std::vector<std::uint8_t>& parameters,
                       std::uint32_t sm_count);

}  // namespace warpwalk::gpu
