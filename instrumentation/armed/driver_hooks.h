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
/// A function of the driver, past this library; null if the driver is not loaded or lacks it.
void* driver_symbol(const char* name);
template <class F>
F driver_function(const char* name) {
  return reinterpret_cast<F>(driver_symbol(name));
}

}  // namespace warpwalk::armed
