#pragma once

#include <cstdint>
#include <optional>

#include "core/crash/past_values.h"

namespace warpwalk::crash {

/// The memory that an instruction accesses.
enum class AccessSpace : std::uint8_t {
  global,  ///< global memory, or a generic address
  shared,  ///< of the block, or of another block of the cluster
  local
};

/// A memory access of an instruction.
struct Access {
  AccessSpace space = AccessSpace::global;
  bool is_generic = false;  ///< the address may also mean shared or local memory
  bool writes = false;      ///< stores and atomic operations
  bool is_atomic = false;
  std::uint32_t bytes = 4;                 ///< per thread
  const sass::Operand* address = nullptr;  ///< in the instruction
};

/// The access of an instruction; nullopt if it accesses no memory by an address per thread.
std::optional<Access> access_of(const sass::Instruction& instruction);

/// The address that a thread accessed; nullopt if it cannot be known. `values`: those before the instruction.
std::optional<std::uint64_t> accessed_address(const Access& access, PastValues& values);

/// The offsets in constant bank 0 from which the address was computed (PastValues::constants).
std::set<std::uint64_t> address_constants(const Access& access, PastValues& values);

}  // namespace warpwalk::crash
