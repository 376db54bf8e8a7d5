// Handles of cuBLASLt, which also takes those of cuBLAS; its version and its log.
#include <memory>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas_products/blas_types.h"

namespace warpwalk::simulated::libraries {
namespace {

/// What a cublasLtHandle_t points to. It has no settings.
struct LtHandle {
  int version = blas_version;
};

}  // namespace

extern "C" {

BlasStatus cublasLtCreate(LtHandle** handle) {
  if (handle == nullptr) return BlasStatus::invalid_value;
  *handle = std::make_unique<LtHandle>().release();
  return BlasStatus::success;
}
BlasStatus cublasLtDestroy(LtHandle* handle) {
  const std::unique_ptr<LtHandle> owned(handle);
  return handle == nullptr ? BlasStatus::not_initialized : BlasStatus::success;
}

std::size_t cublasLtGetVersion() { return blas_version; }
std::size_t cublasLtGetCudartVersion() { return 13000; }

/// `type`: libraryPropertyType, 0 to 2 for the parts of the version.
BlasStatus cublasLtGetProperty(int type, int* value) {
  if (value == nullptr || type < 0 || type > 2) return BlasStatus::invalid_value;
  *value = type == 0 ? blas_version / 10000 : type == 1 ? blas_version / 100 % 100 : blas_version % 100;
  return BlasStatus::success;
}

// There is no log: calls are in the recording.
BlasStatus cublasLtLoggerSetLevel(int) { return BlasStatus::success; }
BlasStatus cublasLtLoggerSetMask(int) { return BlasStatus::success; }
BlasStatus cublasLtLoggerForceDisable() { return BlasStatus::success; }

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
