#include "core/gpu/exec/memory/launch_banks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "core/gpu/exec/address_space.h"

namespace warpwalk::gpu {

namespace {

/// Since sm_90: what special registers say about clusters, and what compilers need to divide by a cluster's extents.
void fill_cluster(const Launch& launch, const std::optional<std::array<std::uint32_t, 3>>& asked,
                  std::vector<std::uint8_t>& bytes) {
  const std::array<std::uint32_t, 3> cluster = asked.value_or(std::array<std::uint32_t, 3>{1, 1, 1});
  put_constant<std::uint32_t>(bytes, 0x140, asked ? 1 : 0);
  for (std::size_t i = 0; i < 3; ++i) {
    put_constant(bytes, 0x144 + 4 * i, cluster[i]);
    // Rounded up, so that a block's number times this, rounded down, is the number of its cluster.
    put_constant(bytes, 0x150 + 4 * i, std::nextafter(1.0F / static_cast<float>(cluster[i]), 2.0F));
    put_constant(bytes, 0x15c + 4 * i, launch.grid[i] / cluster[i]);
  }
  put_constant(bytes, 0x188, cluster[0] * cluster[1] * cluster[2]);
}

void fill_launch(const Program& program, const Launch& launch, std::uint32_t sm_count,
                 std::vector<std::uint8_t>& bytes) {
  if (program.machine_code->parameter_base >= 0x380) return fill_blackwell_launch(program, launch, sm_count, bytes);
  for (std::size_t i = 0; i < 3; ++i) {
    put_constant(bytes, 4 * i, launch.block[i]);
    put_constant(bytes, 12 + 4 * i, launch.grid[i]);
  }
  put_constant(bytes, 0x18, shared_window);
  put_constant(bytes, 0x20, local_window);
  put_constant(bytes, 0x28, program.functions.front().local_bytes);  // the stack grows downwards from here
  const bool since_sm_90 = program.machine_code->parameter_base >= 0x210;
  put_constant(bytes, since_sm_90 ? 0xd0 : 0x50, bank_address(3));
  put_constant(bytes, 0x2c, launch.dynamic_shared_bytes);
  put_constant(bytes, 0x10c, sm_count);
  const std::size_t workspace = since_sm_90 ? 0x44 : 0x8c;  // %envreg1, %envreg2
  put_constant<std::uint32_t>(bytes, workspace,
                              launch.cooperative ? static_cast<std::uint32_t>(grid_workspace >> 32) : 0);
  put_constant<std::uint32_t>(bytes, workspace + 4,
                              launch.cooperative ? static_cast<std::uint32_t>(grid_workspace) : 0);
  if (!since_sm_90) {
    // Lowered code adds shared_begin to addresses in shared memory, which start at 0 before sm_90. The sum is a
    // multiple of the window's size, so that the address is that of the reserved bytes.
    put_constant(bytes, older_reserved_shared_constant,
                 static_cast<std::uint32_t>(window_bytes) - shared_begin + reserved_shared_offset);
    return;
  }
  put_constant(bytes, reserved_shared_constant, reserved_shared_offset);
  // To these, code adds an offset in the bank, or among the parameters, to get a generic address.
  put_constant(bytes, 0xc0, parameter_base - program.machine_code->parameter_base);
  put_constant(bytes, 0x198, parameter_base);
  fill_cluster(launch, launch.cluster ? launch.cluster : program.entry->reqnctapercluster, bytes);
}

/// Writes the contents that the launch gives __constant__ variables.
void fill_constants(const MachineCode& code, const Launch& launch, std::vector<ConstantBank>& banks) {
  for (const Buffer& buffer : launch.buffers) {
    if (buffer.variable.empty() || !buffer.initialized) continue;
    const auto constant = std::ranges::find(code.constants, buffer.variable, &ConstantVariable::name);
    if (constant == code.constants.end()) continue;
    for (ConstantBank& bank : banks)
      if (bank.number == constant->bank && constant->offset <= bank.bytes.size())
        std::copy_n(buffer.bytes.begin(),
                    std::min<std::uint64_t>({constant->bytes, bank.bytes.size() - constant->offset, buffer.bytes.size()}),
                    bank.bytes.begin() + static_cast<std::ptrdiff_t>(constant->offset));
  }
}

}  // namespace

LaunchBanks fill_banks(const Program& program, const Launch& launch, const std::vector<std::uint8_t>& parameters,
                       std::uint32_t sm_count) {
  const MachineCode& code = *program.machine_code;
  LaunchBanks filled{code.banks, std::vector<std::uint8_t>(std::max(code.bank_value_bytes, 1U))};
  for (ConstantBank& bank : filled.banks) {
    if (bank.number != 0) continue;
    fill_launch(program, launch, sm_count, bank.bytes);
    const std::size_t room = bank.bytes.size() - std::min<std::size_t>(bank.bytes.size(), code.parameter_base);
    std::copy_n(parameters.begin(), std::min({room, parameters.size(), std::size_t{program.parameter_bytes}}),
                bank.bytes.begin() + code.parameter_base);
  }
  fill_constants(code, launch, filled.banks);
  for (const BankValue& value : code.bank_values) {
    for (const ConstantBank& bank : filled.banks) {
      if (bank.number != value.bank) continue;
      for (std::size_t lane = 0; lane < lanes_per_warp; ++lane)
        std::memcpy(filled.values.data() + value.slot + lane * value.bytes, bank.bytes.data() + value.offset,
                    value.bytes);
    }
  }
  return filled;
}

}  // namespace warpwalk::gpu
