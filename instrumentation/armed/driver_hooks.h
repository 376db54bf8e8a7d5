#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::armed {

/// The mangled name of a kernel, given as a CUfunction or CUkernel; empty if the driver does not tell.
std::string name_of_kernel(std::uint64_t function);
/// Whether work on the stream becomes part of a CUDA graph at present.
bool is_captured(std::uint64_t stream);

/// The loader's own dlsym, which this library stands before.
void* find_symbol(void* library, const char* name);

}  // namespace warpwalk::armed
