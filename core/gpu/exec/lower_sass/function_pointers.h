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

/// A pointer to a function that ptxas has copied into the kernel's section. If several kernels have copies, it is the
/// offset, in constant bank 2, of a table entry, from which each kernel loads the place of its copy. If only one has,
/// it is that place. Nothing if the kernel cannot call the function through a pointer.
std::optional<std::uint64_t> pointer_to_copy(const sass::Cubin& cubin, const sass::CubinFunction& kernel,
                                             std::string_view name);

}  // namespace warpwalk::gpu
