#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/sass/elf/cubin.h"

namespace warpwalk::gpu {

/// The names of a cubin's device functions, as in the PTX, each once. ptxas copies a function into the section of each
/// kernel that may call it, unless the cubin was linked (nvcc -rdc=true), where functions have sections of their own.
std::vector<std::string_view> device_functions(const sass::Cubin& cubin);

/// The function with a section of its own, or null. A pointer to it is its address.
const sass::CubinFunction* function_section(const sass::Cubin& cubin, std::string_view name);

/// A pointer to a function that ptxas copied into the kernel's section: the offset, in constant bank 2, of the kernel's
/// entry for the function, from which the kernel loads the place of its code. Nothing if the kernel has no such entry.
std::optional<std::uint64_t> function_table_offset(const sass::CubinFunction& kernel, std::string_view name);

}  // namespace warpwalk::gpu
