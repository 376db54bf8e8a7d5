// The entry points that CUDA and NVTX look up in an injected library.
#include "instrumentation/inject/nvtx_abi.h"
#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/session.h"

namespace instrumentation = warpwalk::instrumentation;

extern "C" {

/// For CUDA_INJECTION64_PATH: called once by the driver while CUDA starts. No exception may escape: an error in the
/// recorder must not stop the program.
__attribute__((visibility("default"))) int InitializeInjection() {
  try {
    if (instrumentation::Session* const session = instrumentation::Session::current(); session != nullptr)
      session->start_gpu();
  } catch (...) {
    return 0;
  }
  return 1;
}

/// For NVTX_INJECTION64_PATH: called by each module of the program that has NVTX compiled in, on its first NVTX call.
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    instrumentation::nvtx::GetExportTable get_export_table) {
  return instrumentation::attach_nvtx(get_export_table) ? 1 : 0;
}

/// For NVTX_INJECTION64_PATH: called by each module that uses an extension of NVTX, on its first call of it.
__attribute__((visibility("default"))) int InitializeInjectionNvtxExtension(
    const instrumentation::nvtx::Extension* extension) {
  return instrumentation::attach_nvtx_extension(extension) ? 1 : 0;
}

/// For the simulated GPU (instrumentation/simulated): begins the recording of its program. Null if there is none.
__attribute__((visibility("default"))) instrumentation::RowSink* warpwalk_record_simulated(std::uint64_t (*clock)(),
                                                                                           const char* device) {
  instrumentation::Session* const session = instrumentation::Session::current();
  return session == nullptr ? nullptr : session->start_simulated(clock, device);
}

/// For a program that records itself: flushes and writes everything, and ends the recording.
__attribute__((visibility("default"))) void warpwalk_end_recording() {
  if (instrumentation::Session* const session = instrumentation::Session::current(); session != nullptr)
    session->end(0);
}

}  // extern "C"
