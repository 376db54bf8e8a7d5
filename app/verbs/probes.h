#pragma once

#include <filesystem>

#include "core/platform/probe.h"

/// The looks that `doctor` takes at what others have made, or CUDA has, each in a process of its own.
namespace warpwalk::verbs {

/// Opens a hidden window as the program's own and names what draws in it.
platform::Found look_at_display();
/// The NVIDIA driver and its GPUs, by libcuda alone.
platform::Found look_at_driver();
platform::Found look_at_cupti();
platform::Found look_at_nvrtc();
platform::Found look_at_nvml();
/// libwarpwalk_cuda.so: warpwalk's own kernels for a GPU.
platform::Found look_at_kernels();
/// libwarpwalk_inject.so: what recorded programs are given to load.
platform::Found look_at_recorder();
/// Nsight Compute, and whether the driver lets this user read counters: `params` is what the driver says of itself.
platform::Found look_at_ncu(const std::filesystem::path& params = "/proc/driver/nvidia/params");

}  // namespace warpwalk::verbs
