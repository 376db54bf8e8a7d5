#pragma once

#include <cstdint>
#include <string_view>

#include "core/sass/elf/bytes.h"

namespace warpwalk::crash {

/// Types of a core dump's sections (CudbgSectionHeaderTypes in cudacoredump.h of cuda-gdb).
enum class SectionType : std::uint32_t {
  managed_memory = 0x80000001,
  global_memory,
  local_memory,
  shared_memory,
  registers,
  module_image,
  relocated_image,
  frames,
  devices,
  contexts,
  sms,
  grids,
  blocks,
  warps,
  lanes,
  modules,
  predicates,
  parameters,
  uniform_registers,
  uniform_predicates,
  constant_banks,
  metadata,
  convergence_barriers
};

/// One element of a table. Newer drivers have longer elements: a field that the element does not have reads as 0.
class Entry {
 public:
  explicit Entry(std::string_view bytes) : bytes_(bytes) {}

  bool has(std::uint64_t offset, unsigned count = 4) const { return bytes_.number(offset, count).has_value(); }
  std::uint32_t number(std::uint64_t offset) const {
    return static_cast<std::uint32_t>(bytes_.number(offset, 4).value_or(0));
  }
  std::uint64_t wide(std::uint64_t offset) const { return bytes_.number(offset, 8).value_or(0); }

 private:
  sass::Bytes bytes_;
};

// Offsets of fields in the elements, in bytes. The comments name the driver's release since which a field is there.

namespace device_field {
constexpr std::uint64_t name = 0, type = 8, sm_type = 16;  // in the string table
constexpr std::uint64_t id = 24, sms = 36, warps_per_sm = 40, lanes_per_warp = 44, sm_major = 56, sm_minor = 60;
}  // namespace device_field

namespace context_field {
constexpr std::uint64_t id = 0, shared_window = 8, local_window = 16, host_thread = 36;
}  // namespace context_field

namespace grid_field {
constexpr std::uint64_t id = 0, context = 8, entry = 24, module = 32, parent = 40, parameters_offset = 48;
constexpr std::uint64_t status = 64, registers = 68, grid = 72, block = 84;
constexpr std::uint64_t cluster = 104;  // r525
}  // namespace grid_field

namespace constant_bank_field {
constexpr std::uint64_t address = 0, bytes = 8, bank = 12;
}  // namespace constant_bank_field

namespace sm_field {
constexpr std::uint64_t id = 0;
constexpr std::uint64_t exception = 8, error_pc_valid = 12, error_pc = 16;  // r555
constexpr std::uint64_t target_block_valid = 24, target_block = 28;         // r565
}  // namespace sm_field

namespace block_field {
constexpr std::uint64_t grid = 0, block = 8;
constexpr std::uint64_t cluster = 24;  // r525
}  // namespace block_field

namespace warp_field {
constexpr std::uint64_t error_pc = 0, warp = 8, valid_lanes = 12, active_lanes = 16, at_breakpoint = 20;
constexpr std::uint64_t error_pc_valid = 24;
constexpr std::uint64_t registers = 32;                             // r525
constexpr std::uint64_t shared_bytes = 40;                          // r570
constexpr std::uint64_t system_call_lanes = 48, exited_lanes = 56;  // r575
}  // namespace warp_field

namespace lane_field {
constexpr std::uint64_t pc = 0, lane = 16, thread = 20, exception = 32, call_depth = 36, system_call_depth = 40;
}  // namespace lane_field

namespace frame_field {
constexpr std::uint64_t return_address = 8, level = 16;
}  // namespace frame_field

namespace metadata_field {
constexpr std::uint64_t generator = 0, driver_major = 8, driver_minor = 12, cuda_major = 16, cuda_minor = 20;
constexpr std::uint64_t flags = 24, time = 28;
}  // namespace metadata_field

}  // namespace warpwalk::crash
