#pragma once

// This folder is the library that is loaded into a recorded program. Code that runs in warpwalk itself is in
// instrumentation.

#include "instrumentation/inject/nvtx_abi.h"

// The entry points that CUDA and NVTX look up in an injected library.
extern "C" {
/// For CUDA_INJECTION64_PATH: called once by the driver while CUDA starts.
__attribute__((visibility("default"))) int InitializeInjection();
/// For NVTX_INJECTION64_PATH: called by each module of the program that has NVTX compiled in, on its first NVTX call.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    warpwalk::recording::nvtx::GetExportTable get_export_table);
/// For a program that records itself: flushes and writes everything, and ends the recording.
__attribute__((visibility("default"))) void warpwalk_end_recording();
}
