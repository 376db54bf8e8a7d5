// The entry points that CUDA and NVTX look up in an injected library, and those for a program that records itself.
#include <string>

#include "instrumentation/inject/current_session.h"
#include "instrumentation/inject/nvtx_abi.h"
#include "instrumentation/inject/nvtx_tool.h"
#include "instrumentation/inject/python_lines.h"
#include "instrumentation/inject/session.h"

namespace instrumentation = warpwalk::instrumentation;

namespace {

std::string& last_error() {
  thread_local std::string error;
  return error;
}

}  // namespace

extern "C" {

/// For CUDA_INJECTION64_PATH: called once by the driver while CUDA starts. No exception may escape: an error in the
/// recorder must not stop the program.
__attribute__((visibility("default"))) int InitializeInjection() {
  try {
    if (const instrumentation::UsedSession session; session) session->start_gpu();
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
  const instrumentation::UsedSession session;
  return session ? session->start_simulated(clock, device) : nullptr;
}

/// For the simulated GPU, before it ends its program: writes everything and ends the recording.
__attribute__((visibility("default"))) void warpwalk_end_simulated() {
  if (const instrumentation::UsedSession session; session) session->end(0);
}

/// For a program that records itself: begins a recording into the partial file of `output`, the absolute path of the
/// walk. CUDA may run already. The variables in instrumentation/recording_names.h select what is recorded besides
/// CUPTI's activity. Returns 0, or another number if no recording has begun; warpwalk_recording_error then says why.
__attribute__((visibility("default"))) int warpwalk_begin_recording(const char* output) {
  std::string& error = last_error();
  try {
    error = instrumentation::begin_recording(output);
  } catch (...) {
    error = "out of memory";
  }
  return error.empty() ? 0 : 1;
}

/// One line: why the last warpwalk_begin_recording of this thread failed; empty if it did not. Valid until the thread
/// calls it again.
__attribute__((visibility("default"))) const char* warpwalk_recording_error() { return last_error().c_str(); }

/// For a program in Python, on its main thread, with Python's lock and from a function: from now on, recordings have
/// the lines of Python that call PyTorch's ops. Returns 0, or another number if this Python's frames cannot be read.
__attribute__((visibility("default"))) int warpwalk_record_python() {
  try {
    return instrumentation::PythonLines::the().start() ? 0 : 1;
  } catch (...) {
    return 1;
  }
}

/// For a program that records itself: flushes and writes everything, ends the recording and gives CUPTI back. Work that
/// still runs on the GPU is recorded without its end, so a program waits for its work first. Returns 0, or another
/// number if no recording was under way.
__attribute__((visibility("default"))) int warpwalk_end_recording() {
  try {
    return instrumentation::end_recording() ? 0 : 1;
  } catch (...) {
    return 1;
  }
}

}  // extern "C"
