#pragma once

#include <filesystem>

#include "core/platform/probe.h"

/// The checks of `doctor` that run in child processes, because they call drivers or CUDA.
namespace warpwalk::verbs {

/// The NVIDIA driver and its GPUs, through libcuda.
platform::ProbeResult look_at_driver();
platform::ProbeResult look_at_cupti();
platform::ProbeResult look_at_nvrtc();
platform::ProbeResult look_at_nvml();
/// libwarpwalk_cuda.so: warpwalk's own kernels for a GPU.
platform::ProbeResult look_at_kernels();
/// libwarpwalk_inject.so, which recorded programs load.
platform::ProbeResult look_at_recorder();
/// Nsight Compute, and whether the driver lets this user read counters. `params`: the parameter file of the driver.
platform::ProbeResult look_at_ncu(const std::filesystem::path& params = "/proc/driver/nvidia/params");

}  // namespace warpwalk::verbs
