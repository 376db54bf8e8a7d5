// Executing plans, and what the stand-in does not have.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cufft/plan.h"

namespace warpwalk::simulated::libraries {
namespace {

/// Executes a plan that must be for these types.
FftResult execute_typed(const char* function, int handle, FftData in, FftData out, const void* input, void* output,
                        int direction) {
  return with_fft_plan(function, handle, [&](FftPlan& plan) {
    if (plan.is_made() && !plan.transforms(in, out)) return FftResult::invalid_plan;
    return plan.execute(input, output, direction);
  });
}

FftResult fft_not_supported(const char* function, const char* what) {
  tell_not_supported("cuFFT", function, what);
  return FftResult::not_supported;
}

constexpr const char *several_gpus = "several GPUs", *callbacks = "callbacks";

}  // namespace

extern "C" {

FftResult cufftExecC2C(int handle, void* input, void* output, int direction) {
  return execute_typed("cufftExecC2C", handle, FftData::c32, FftData::c32, input, output, direction);
}
FftResult cufftExecR2C(int handle, void* input, void* output) {
  return execute_typed("cufftExecR2C", handle, FftData::r32, FftData::c32, input, output, fft_forward);
}
FftResult cufftExecC2R(int handle, void* input, void* output) {
  return execute_typed("cufftExecC2R", handle, FftData::c32, FftData::r32, input, output, fft_inverse);
}
FftResult cufftExecZ2Z(int handle, void* input, void* output, int direction) {
  return execute_typed("cufftExecZ2Z", handle, FftData::c64, FftData::c64, input, output, direction);
}
FftResult cufftExecD2Z(int handle, void* input, void* output) {
  return execute_typed("cufftExecD2Z", handle, FftData::r64, FftData::c64, input, output, fft_forward);
}
FftResult cufftExecZ2D(int handle, void* input, void* output) {
  return execute_typed("cufftExecZ2D", handle, FftData::c64, FftData::r64, input, output, fft_inverse);
}
FftResult cufftXtExec(int handle, void* input, void* output, int direction) {
  return with_fft_plan("cufftXtExec", handle, [&](FftPlan& plan) { return plan.execute(input, output, direction); });
}

FftResult cufftXtSetGPUs() { return fft_not_supported("cufftXtSetGPUs", several_gpus); }
FftResult cufftXtMalloc() { return fft_not_supported("cufftXtMalloc", several_gpus); }
FftResult cufftXtMemcpy() { return fft_not_supported("cufftXtMemcpy", several_gpus); }
FftResult cufftXtFree() { return fft_not_supported("cufftXtFree", several_gpus); }
FftResult cufftXtSetWorkArea() { return fft_not_supported("cufftXtSetWorkArea", several_gpus); }
FftResult cufftXtQueryPlan() { return fft_not_supported("cufftXtQueryPlan", several_gpus); }
FftResult cufftXtExecDescriptor() { return fft_not_supported("cufftXtExecDescriptor", several_gpus); }
FftResult cufftXtExecDescriptorC2C() { return fft_not_supported("cufftXtExecDescriptorC2C", several_gpus); }
FftResult cufftXtExecDescriptorR2C() { return fft_not_supported("cufftXtExecDescriptorR2C", several_gpus); }
FftResult cufftXtExecDescriptorC2R() { return fft_not_supported("cufftXtExecDescriptorC2R", several_gpus); }
FftResult cufftXtExecDescriptorZ2Z() { return fft_not_supported("cufftXtExecDescriptorZ2Z", several_gpus); }
FftResult cufftXtExecDescriptorD2Z() { return fft_not_supported("cufftXtExecDescriptorD2Z", several_gpus); }
FftResult cufftXtExecDescriptorZ2D() { return fft_not_supported("cufftXtExecDescriptorZ2D", several_gpus); }
FftResult cufftXtSetCallback() { return fft_not_supported("cufftXtSetCallback", callbacks); }
FftResult cufftXtClearCallback() { return fft_not_supported("cufftXtClearCallback", callbacks); }
FftResult cufftXtSetCallbackSharedSize() { return fft_not_supported("cufftXtSetCallbackSharedSize", callbacks); }
FftResult cufftXtSetJITCallback() { return fft_not_supported("cufftXtSetJITCallback", callbacks); }
FftResult cufftXtSetWorkAreaPolicy() { return fft_not_supported("cufftXtSetWorkAreaPolicy", ""); }

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
