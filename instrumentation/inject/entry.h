#pragma once

#include "instrumentation/inject/nvtx_abi.h"

// What CUDA and NVTX look for in a library that is to be injected.
extern "C" {
/// CUDA_INJECTION64_PATH: called by the driver, once, while CUDA starts.
__attribute__((visibility("default"))) int InitializeInjection();
/// NVTX_INJECTION64_PATH: called by each module of the program that has NVTX compiled in, when it first uses it.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    warpwalk::recording::nvtx::GetExportTable get_export_table);
/// For a program that records itself: fetches and writes everything, and ends the recording.
__attribute__((visibility("default"))) void warpwalk_end_recording();
}
