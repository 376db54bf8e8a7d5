#include "core/crash/near.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "core/sass/elf/bytes.h"

namespace warpwalk::crash {
namespace {

// CU_COREDUMP_SKIP_GLOBAL_MEMORY
constexpr std::uint32_t skips_global_memory = 2;
constexpr std::uint64_t mapping_unit = std::uint64_t{2} << 20;
// Unified addresses of 64-bit systems are above the first 4 GiB and have 49 bits or, with 5-level page tables, 57.
constexpr std::uint64_t first_address = std::uint64_t{1} << 32, last_address = std::uint64_t{1} << 57;
constexpr std::uint64_t far_away = std::uint64_t{1} << 40;
constexpr std::uint64_t pointer_bytes = 8;

/// A variable of the kernel's module that begins at or below an address, the nearest one; null if there is none.
const sass::CubinVariable* variable_below(const sass::Cubin* cubin, std::uint64_t address) {
  const sass::CubinVariable* nearest = nullptr;
  if (cubin == nullptr) return nearest;
  for (const sass::CubinVariable& variable : cubin->variables) {
    if (variable.space != sass::CubinSpace::global || variable.address == 0 || variable.address > address) continue;
    if (nearest == nullptr || variable.address > nearest->address) nearest = &variable;
  }
  return nearest;
}

const sass::CubinFunction* kernel_of(const DumpGrid& grid, Code& code) {
  const auto place = code.at(grid.entry);
  return place ? place->loaded->function : nullptr;
}

/// The segment of the dump's memory that has an address; null if none has.
const DumpMemory* segment_at(const CoreDump& dump, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(dump.memory, address, {}, &DumpMemory::address);
  if (after == dump.memory.begin() || address >= std::prev(after)->end()) return nullptr;
  return &*std::prev(after);
}

/// Bytes from an address to the end of the mapped memory around it, across adjacent segments.
std::uint64_t mapped_bytes(const CoreDump& dump, std::uint64_t address) {
  std::uint64_t end = address;
  while (const DumpMemory* const segment = segment_at(dump, end)) end = segment->end();
  return end - address;
}

/// The smallest allocation that covers an address; one that is still there before those that were released.
std::optional<DumpAllocation> allocation_of(const CoreDump& dump, std::uint64_t address) {
  std::optional<DumpAllocation> found;
  for (const DumpAllocation& allocation : dump.allocations)
    if (allocation.address <= address && address < allocation.end() &&
        (!found || std::pair(allocation.is_released, allocation.bytes) < std::pair(found->is_released, found->bytes)))
      found = allocation;
  return found;
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

}  // namespace

bool has_global_memory(const CoreDump& dump) {
  if (dump.flags) return (*dump.flags & skips_global_memory) == 0;
  std::size_t banks = 0;
  for (const DumpDevice& device : dump.devices)
    for (const DumpGrid& grid : device.grids) banks += grid.constant_banks.size();
  return dump.memory.size() > banks;
}

std::vector<PointerArgument> pointer_arguments(const DumpGrid& grid, const sass::CubinFunction* function) {
  std::vector<PointerArgument> pointers;
  const sass::Bytes bytes(grid.parameters);
  const auto add = [&](std::uint32_t ordinal, std::uint64_t begin, std::uint64_t size) {
    for (std::uint64_t at = 0; at + pointer_bytes <= size; at += pointer_bytes) {
      const auto value = bytes.number(begin + at, pointer_bytes);
      if (!value) return;
      if (*value == 0 || (*value >= first_address && *value < last_address))
        pointers.push_back({ordinal, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(begin + at), *value});
    }
  };
  if (function != nullptr) {
    for (const sass::CubinParameter& parameter : function->parameters)
      add(parameter.ordinal, parameter.offset, parameter.bytes);
  } else {
    for (std::uint64_t at = 0; at + pointer_bytes <= grid.parameters.size(); at += pointer_bytes)
      add(static_cast<std::uint32_t>(at / pointer_bytes), at, pointer_bytes);
  }
  return pointers;
}

Near near_address(const DumpThread& thread, Code& code, std::uint64_t address, std::uint32_t bytes,
                  const std::set<std::uint64_t>& constants) {
  const CoreDump& dump = *thread.dump;
  const bool knows_memory = has_global_memory(dump);
  std::vector<PointerArgument> pointers = pointer_arguments(*thread.grid, kernel_of(*thread.grid, code));
  const auto is_used = [&](const PointerArgument& pointer) {
    return constants.contains(thread.grid->parameters_offset + pointer.place);
  };
  if (std::ranges::any_of(pointers, is_used)) std::erase_if(pointers, std::not_fn(is_used));
  Near near;
  if (knows_memory) near.mapped = !dump.memory_at(address, bytes).empty();
  if (address < mapping_unit) {
    near.base = Near::Base::null;
    near.offset = static_cast<std::int64_t>(address);
    // Of several that are null it is not known which one was used.
    const auto is_null = [](const PointerArgument& pointer) { return pointer.address == 0; };
    if (std::ranges::count_if(pointers, is_null) == 1) near.argument = *std::ranges::find_if(pointers, is_null);
    return near;
  }
  const PointerArgument* nearest = nullptr;
  for (const PointerArgument& pointer : pointers) {
    if (pointer.address == 0 || distance(pointer.address, address) > far_away) continue;
    // An address behind a pointer is more likely computed from it than one before it.
    const auto rank = [&](const PointerArgument& p) {
      return std::pair(p.address > address, distance(p.address, address));
    };
    if (nearest == nullptr || rank(pointer) < rank(*nearest)) nearest = &pointer;
  }
  const sass::CubinVariable* const variable = variable_below(code.cubin_of(thread.grid->module), address);
  const bool is_variable = variable != nullptr && address - variable->address <= far_away &&
                           (nearest == nullptr || nearest->address > address || variable->address > nearest->address);
  if (is_variable) {
    near.base = Near::Base::variable;
    near.variable = variable->name;
    near.base_address = variable->address;
    near.size = variable->bytes;
  } else if (nearest != nullptr) {
    near.base = Near::Base::argument;
    near.argument = *nearest;
    near.base_address = nearest->address;
    near.allocation = allocation_of(dump, nearest->address);
    if (near.allocation) {
      near.base_mapped = !near.allocation->is_released;
      near.size = near.allocation->end() - nearest->address;
    } else if (knows_memory) {
      near.base_mapped = segment_at(dump, nearest->address) != nullptr;
      if (*near.base_mapped) near.size = mapped_bytes(dump, nearest->address);
    }
  } else if (const DumpMemory* const segment = segment_at(dump, address)) {
    near.base = Near::Base::memory;
    near.base_address = segment->address;
    near.size = segment->bytes.size();
  }
  near.offset = static_cast<std::int64_t>(address - near.base_address);
  return near;
}

bool is_beside_known_memory(const DumpThread& thread, Code& code, std::uint64_t address) {
  const auto same_unit = [&](std::uint64_t known) {
    return known != 0 && known / mapping_unit == address / mapping_unit;
  };
  const auto covers_unit = [&](const DumpAllocation& allocation) {
    return !allocation.is_released && address / mapping_unit >= allocation.address / mapping_unit &&
           address / mapping_unit <= (allocation.end() - 1) / mapping_unit;
  };
  if (std::ranges::any_of(thread.dump->allocations, covers_unit)) return true;
  const auto pointers = pointer_arguments(*thread.grid, kernel_of(*thread.grid, code));
  if (thread.dump->allocations.empty() && std::ranges::any_of(pointers, same_unit, &PointerArgument::address))
    return true;
  const sass::CubinVariable* const variable = variable_below(code.cubin_of(thread.grid->module), address);
  return variable != nullptr && address - variable->address < variable->bytes;
}

}  // namespace warpwalk::crash
