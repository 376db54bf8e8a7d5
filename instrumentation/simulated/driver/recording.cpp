// For a program that records itself while it runs on the simulated GPU: libwarpwalk_inject.so looks these functions up
// (instrumentation/inject/simulated_gpu.h).
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

std::uint64_t clock_of_program() { return static_cast<std::uint64_t>(Gpu::the().clock.now()); }

}  // namespace

extern "C" {

/// The name of the simulated GPU, which is made if the program has not called CUDA yet. `clock`: the program's time.
const char* warpwalk_simulated_gpu(std::uint64_t (**clock)()) {
  *clock = &clock_of_program;
  return Gpu::the().device.name.c_str();
}

void warpwalk_attach_recorder(instrumentation::RowSink* rows, std::vector<std::string> (*open_ops)()) {
  Gpu::the().begin_recording({rows, open_ops});
}

/// Waits for all work of the GPU. Afterwards, nothing uses the recorder any more.
void warpwalk_detach_recorder() {
  if (Gpu* const gpu = Gpu::if_made(); gpu != nullptr) gpu->end_recording();
}

}  // extern "C"
}  // namespace warpwalk::simulated
