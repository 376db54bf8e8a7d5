#pragma once

// This folder is the library that is loaded into an armed program (LD_PRELOAD). It stands between the program and
// CUDA's driver, and writes down what the program calls. It uses no profiler: CUDA writes no core dump while CUPTI is
// in use ("CUDA coredump is not supported with other developer tools", driver 580).

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/crash/call_ring.h"

namespace warpwalk::armed {

/// What is done around a call of a function, besides looking at its result.
enum class Note : std::uint8_t {
  written,         ///< the call is written down
  unloads,         ///< likewise, and handles of functions may come back as others
  begins_capture,  ///< likewise, and launches may become part of a CUDA graph until
  ends_capture,    ///< this
  loads,           ///< nothing: the second argument is an image of a module
  result           ///< nothing: it is called too often
};

/// A function of the driver, and which of its arguments tell what is written down; -1: none.
struct DriverCall {
  std::string_view name;  ///< without its version
  crash::RingCall kind = crash::RingCall::other;
  int address = -1, bytes = -1, stream = -1;
  std::uint64_t scale = 1;       ///< of `bytes`
  bool returns_address = false;  ///< the argument points to where the address is returned
  Note note = Note::written;
};

// CUDA driver API, "Initialization", "Module Management", "Library Management", "Memory Management", "Stream Ordered
// Memory Allocator", "Virtual Memory Management", "Stream Management", "Event Management", "Execution Control" and
// "Graph Management".
inline constexpr std::array driver_calls = {
    DriverCall{"cuInit"},
    DriverCall{"cuLaunchKernel", crash::RingCall::launch},
    DriverCall{"cuLaunchKernelEx", crash::RingCall::launch},
    DriverCall{"cuLaunchCooperativeKernel", crash::RingCall::launch},
    DriverCall{"cuGraphLaunch", crash::RingCall::graph_launch, -1, -1, 1},
    DriverCall{"cuMemAlloc", crash::RingCall::allocation, 0, 1, -1, 1, true},
    DriverCall{"cuMemAllocManaged", crash::RingCall::allocation, 0, 1, -1, 1, true},
    DriverCall{"cuMemAllocAsync", crash::RingCall::allocation, 0, 1, 2, 1, true},
    DriverCall{"cuMemAllocFromPoolAsync", crash::RingCall::allocation, 0, 1, 3, 1, true},
    DriverCall{"cuMemMap", crash::RingCall::allocation, 0, 1},
    DriverCall{"cuMemFree", crash::RingCall::release, 0},
    DriverCall{"cuMemFreeAsync", crash::RingCall::release, 0, -1, 1},
    DriverCall{"cuMemUnmap", crash::RingCall::release, 0, 1},
    DriverCall{"cuMemcpy", crash::RingCall::copy, 0, 2},
    DriverCall{"cuMemcpyAsync", crash::RingCall::copy, 0, 2, 3},
    DriverCall{"cuMemcpyHtoD", crash::RingCall::copy, 0, 2},
    DriverCall{"cuMemcpyHtoDAsync", crash::RingCall::copy, 0, 2, 3},
    DriverCall{"cuMemcpyDtoH", crash::RingCall::copy, 0, 2},
    DriverCall{"cuMemcpyDtoHAsync", crash::RingCall::copy, 0, 2, 3},
    DriverCall{"cuMemcpyDtoD", crash::RingCall::copy, 0, 2},
    DriverCall{"cuMemcpyDtoDAsync", crash::RingCall::copy, 0, 2, 3},
    DriverCall{"cuMemsetD8", crash::RingCall::set, 0, 2},
    DriverCall{"cuMemsetD8Async", crash::RingCall::set, 0, 2, 3},
    DriverCall{"cuMemsetD16", crash::RingCall::set, 0, 2, -1, 2},
    DriverCall{"cuMemsetD16Async", crash::RingCall::set, 0, 2, 3, 2},
    DriverCall{"cuMemsetD32", crash::RingCall::set, 0, 2, -1, 4},
    DriverCall{"cuMemsetD32Async", crash::RingCall::set, 0, 2, 3, 4},
    DriverCall{"cuCtxSynchronize", crash::RingCall::wait},
    DriverCall{"cuStreamSynchronize", crash::RingCall::wait, -1, -1, 0},
    DriverCall{"cuEventSynchronize", crash::RingCall::wait},
    DriverCall{"cuStreamWaitEvent", crash::RingCall::wait, -1, -1, 0},
    DriverCall{.name = "cuModuleLoadData", .note = Note::loads},
    DriverCall{.name = "cuModuleLoadDataEx", .note = Note::loads},
    DriverCall{.name = "cuLibraryLoadData", .note = Note::loads},
    DriverCall{.name = "cuModuleUnload", .note = Note::unloads},
    DriverCall{.name = "cuLibraryUnload", .note = Note::unloads},
    DriverCall{.name = "cuStreamBeginCapture", .stream = 0, .note = Note::begins_capture},
    DriverCall{.name = "cuStreamBeginCaptureToGraph", .stream = 0, .note = Note::begins_capture},
    DriverCall{.name = "cuStreamEndCapture", .stream = 0, .note = Note::ends_capture},
    DriverCall{.name = "cuEventRecord", .note = Note::result},
    DriverCall{.name = "cuEventQuery", .note = Note::result},
    DriverCall{.name = "cuStreamQuery", .note = Note::result},
};

/// Arguments of a call, as words of 8 bytes: no function of the driver has more.
constexpr std::size_t most_arguments = 11;
using Arguments = std::array<std::uint64_t, most_arguments>;

/// Nanoseconds of CLOCK_REALTIME.
std::uint64_t now_ns();

/// Around a call of the driver, on the thread that makes it. enter() returns the number of the call; 0: nothing is
/// written down. leave() waits until the core dump is complete if the result says that a kernel has failed. No
/// exception leaves them.
std::uint64_t enter(const DriverCall& call, const Arguments& arguments) noexcept;
void leave(const DriverCall& call, std::uint64_t number, const Arguments& arguments, int result) noexcept;

}  // namespace warpwalk::armed
