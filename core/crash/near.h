#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/crash/past_values.h"

namespace warpwalk::crash {

/// True if the dump has the global memory of the program, and not only the constant banks.
bool has_global_memory(const CoreDump& dump);

/// An address among the arguments of a kernel.
struct PointerArgument {
  std::uint32_t ordinal = 0;  ///< of the argument, from 0
  std::uint32_t offset = 0;   ///< in the argument, for a member of a struct
  std::uint32_t place = 0;    ///< among all parameters, bytes
  std::uint64_t address = 0;  ///< 0: null
};

/// The addresses among a kernel's arguments: 8 bytes that are null or may be an address. `function` may be null: then
/// every 8 bytes count as an argument.
std::vector<PointerArgument> pointer_arguments(const DumpGrid& grid, const sass::CubinFunction* function);

/// What lies at an address of global memory.
struct Near {
  enum class Base : std::uint8_t {
    none,      ///< nothing is known
    null,      ///< the address is that of null, or up to 2 MiB above it
    argument,  ///< memory to which an argument points
    variable,  ///< a __device__ variable
    memory     ///< memory of the dump to which no argument points
  };
  Base base = Base::none;
  std::optional<PointerArgument> argument;  ///< for argument; for null the argument that is null
  std::string_view variable;                ///< mangled name
  std::uint64_t base_address = 0;
  std::int64_t offset = 0;            ///< from base_address to the address, bytes
  std::optional<std::uint64_t> size;  ///< bytes from base_address to the end of the variable, or of what is mapped
  std::optional<bool> mapped;         ///< whether the address itself is mapped; nullopt: not in the dump
  std::optional<bool> base_mapped;    ///< whether the memory at base_address is
  /// Of base_address, if allocations are known: then `size` ends with it.
  std::optional<DumpAllocation> allocation;
};

/// `code`: of the device. `bytes`: of the access. `constants`: the offsets in constant bank 0 from which the address
/// was computed; without them, the nearest argument counts.
Near near_address(const DumpThread& thread, Code& code, std::uint64_t address, std::uint32_t bytes,
                  const std::set<std::uint64_t>& constants);

/// Whether an address can be expected to be mapped because an allocation that is known, an argument or a variable is in
/// the same 2 MiB, the smallest unit in which cudaMalloc maps memory.
bool is_beside_known_memory(const DumpThread& thread, Code& code, std::uint64_t address);

}  // namespace warpwalk::crash
