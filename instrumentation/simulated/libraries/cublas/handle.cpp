// Handles and their settings.
#include <memory>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

/// Runs `body` with the settings of a handle.
template <class Body>
BlasStatus with_handle(BlasHandle* handle, Body body) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  return body(*handle);
}

}  // namespace

extern "C" {

BlasStatus cublasCreate_v2(BlasHandle** handle) {
  if (handle == nullptr) return BlasStatus::invalid_value;
  *handle = std::make_unique<BlasHandle>().release();
  return BlasStatus::success;
}

BlasStatus cublasDestroy_v2(BlasHandle* handle) {
  const std::unique_ptr<BlasHandle> owned(handle);
  return handle == nullptr ? BlasStatus::not_initialized : BlasStatus::success;
}

BlasStatus cublasSetStream_v2(BlasHandle* handle, const void* stream) {
  return with_handle(handle, [&](BlasHandle& of) {
    of.stream = stream;
    // The workspace of cublasSetWorkspace is for one stream (cuBLAS library, cublasSetStream).
    of.workspace = nullptr;
    of.workspace_bytes = 0;
    return BlasStatus::success;
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
