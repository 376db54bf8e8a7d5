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

/// Stores a setting where the program wants it.
template <class Value>
BlasStatus give_setting(BlasHandle* handle, Value* to, Value BlasHandle::*setting) {
  return with_handle(handle, [&](const BlasHandle& of) {
    if (to == nullptr) return BlasStatus::invalid_value;
    *to = of.*setting;
    return BlasStatus::success;
  });
}

}  // namespace

extern "C" {

BlasStatus cublasCreate_v2(BlasHandle** handle) {
  if (handle == nullptr) return BlasStatus::invalid_value;
  return guarded<BlasStatus>("cublasCreate_v2", BlasStatus::not_initialized, [&] {
    auto made = std::make_unique<BlasHandle>();
    made->scratch = Gpu::the().memory.allocate(MemoryKind::device, 256, "cublasCreate", true);
    if (made->scratch == nullptr) return BlasStatus::alloc_failed;
    made->scratch->owned = true;
    *handle = made.release();
    return BlasStatus::success;
  });
}

BlasStatus cublasDestroy_v2(BlasHandle* handle) {
  const std::unique_ptr<BlasHandle> owned(handle);
  if (handle == nullptr) return BlasStatus::not_initialized;
  // As cuBLAS does, so that nothing uses the memory any more.
  api_call(Api::runtime, "cudaDeviceSynchronize", [](Gpu& gpu) { return gpu.synchronize(); });
  Gpu::the().memory.free(handle->scratch->address);
  return BlasStatus::success;
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
BlasStatus cublasGetStream_v2(BlasHandle* handle, const void** stream) {
  return give_setting(handle, stream, &BlasHandle::stream);
}

BlasStatus cublasSetWorkspace_v2(BlasHandle* handle, void* workspace, std::size_t bytes) {
  return with_handle(handle, [&](BlasHandle& of) {
    if (reinterpret_cast<std::uintptr_t>(workspace) % 256 != 0) return BlasStatus::invalid_value;
    of.workspace = workspace;
    of.workspace_bytes = bytes;
    return BlasStatus::success;
  });
}

BlasStatus cublasSetPointerMode_v2(BlasHandle* handle, PointerMode mode) {
  return with_handle(handle, [&](BlasHandle& of) {
    if (mode != PointerMode::host && mode != PointerMode::device) return BlasStatus::invalid_value;
    of.pointer_mode = mode;
    return BlasStatus::success;
  });
}
BlasStatus cublasGetPointerMode_v2(BlasHandle* handle, PointerMode* mode) {
  return give_setting(handle, mode, &BlasHandle::pointer_mode);
}

BlasStatus cublasSetMathMode(BlasHandle* handle, int mode) {
  return with_handle(handle, [&](BlasHandle& of) {
    of.math_mode = mode;
    return BlasStatus::success;
  });
}
BlasStatus cublasGetMathMode(BlasHandle* handle, int* mode) {
  return give_setting(handle, mode, &BlasHandle::math_mode);
}

BlasStatus cublasSetAtomicsMode(BlasHandle* handle, int mode) {
  return with_handle(handle, [&](BlasHandle& of) {
    of.atomics_mode = mode;
    return BlasStatus::success;
  });
}
BlasStatus cublasGetAtomicsMode(BlasHandle* handle, int* mode) {
  return give_setting(handle, mode, &BlasHandle::atomics_mode);
}

BlasStatus cublasSetSmCountTarget(BlasHandle* handle, int count) {
  return with_handle(handle, [&](BlasHandle& of) {
    of.sm_count_target = count;
    return BlasStatus::success;
  });
}
BlasStatus cublasGetSmCountTarget(BlasHandle* handle, int* count) {
  return give_setting(handle, count, &BlasHandle::sm_count_target);
}

BlasStatus cublasGetVersion_v2(BlasHandle*, int* version) {
  if (version == nullptr) return BlasStatus::invalid_value;
  *version = blas_version;
  return BlasStatus::success;
}

/// `type`: libraryPropertyType, 0 to 2 for the parts of the version.
BlasStatus cublasGetProperty(int type, int* value) {
  if (value == nullptr || type < 0 || type > 2) return BlasStatus::invalid_value;
  *value = type == 0 ? blas_version / 10000 : type == 1 ? blas_version / 100 % 100 : blas_version % 100;
  return BlasStatus::success;
}

std::size_t cublasGetCudartVersion() { return 13000; }

// There is no log: calls are in the recording.
BlasStatus cublasLoggerConfigure(int, int, int, const char*) { return BlasStatus::success; }
BlasStatus cublasSetLoggerCallback(void (*)(const char*)) { return BlasStatus::success; }
BlasStatus cublasGetLoggerCallback(void (**callback)(const char*)) {
  if (callback == nullptr) return BlasStatus::invalid_value;
  *callback = nullptr;
  return BlasStatus::success;
}

const char* cublasGetStatusName(BlasStatus status) {
  switch (status) {
    case BlasStatus::success: return "CUBLAS_STATUS_SUCCESS";
    case BlasStatus::not_initialized: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case BlasStatus::alloc_failed: return "CUBLAS_STATUS_ALLOC_FAILED";
    case BlasStatus::invalid_value: return "CUBLAS_STATUS_INVALID_VALUE";
    case BlasStatus::arch_mismatch: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case BlasStatus::mapping_error: return "CUBLAS_STATUS_MAPPING_ERROR";
    case BlasStatus::execution_failed: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case BlasStatus::internal_error: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case BlasStatus::not_supported: return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "CUBLAS_STATUS_UNKNOWN";
}
const char* cublasGetStatusString(BlasStatus status) { return cublasGetStatusName(status); }

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
