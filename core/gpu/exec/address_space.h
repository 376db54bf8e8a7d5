#pragma once

#include <cstdint>

namespace warpwalk::gpu {

/// The addresses of the simulated GPU. Those of global, constant and parameter memory are generic addresses
/// themselves; shared and local memory are counted from their window's start, as the hardware does it.
constexpr std::uint64_t shared_window = 0x7e00'0000'0000;
constexpr std::uint64_t local_window = 0x7e10'0000'0000;
constexpr std::uint64_t window_bytes = 1u << 24;
constexpr std::uint64_t constant_base = 0x7e20'0000'0000;
constexpr std::uint64_t parameter_base = 0x7e30'0000'0000;
constexpr std::uint64_t function_base = 0x7e40'0000'0000;  ///< addresses of functions: 16 bytes each
constexpr std::uint64_t global_base = 0x7f00'0000'0000;    ///< of a module's variables
constexpr std::uint64_t buffers_base = 0x7f10'0000'0000;   ///< of buffers
constexpr std::uint64_t buffers_end = 0x8000'0000'0000;    ///< addresses of global memory have 47 bits

/// The first bytes of a block's shared memory belong to the system (sm_90: 1 KB), so pointers begin here.
constexpr std::uint32_t shared_begin = 1024;

}  // namespace warpwalk::gpu
