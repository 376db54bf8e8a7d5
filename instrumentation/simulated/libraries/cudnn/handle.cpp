// Handles, versions and the texts of errors.
#include <cstring>
#include <memory>
#include <string>

#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cudnn/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

constexpr int dnn_major = 9, dnn_minor = 19, dnn_patch = 0;

}  // namespace

extern "C" {

std::size_t cudnnGetVersion() { return dnn_major * 10000 + dnn_minor * 100 + dnn_patch; }
std::size_t cudnnGetMaxDeviceVersion() { return 1210; }
std::size_t cudnnGetCudartVersion() { return 13000; }

DnnStatus cudnnGetProperty(int which, int* value) {
  if (value == nullptr || which < 0 || which > 2) return DnnStatus::bad_param;
  *value = which == 0 ? dnn_major : which == 1 ? dnn_minor : dnn_patch;
  return DnnStatus::success;
}

const char* cudnnGetErrorString(DnnStatus status) {
  switch (status) {
    case DnnStatus::success: return "CUDNN_STATUS_SUCCESS";
    case DnnStatus::not_initialized: return "CUDNN_STATUS_NOT_INITIALIZED";
    case DnnStatus::bad_param: return "CUDNN_STATUS_BAD_PARAM";
    case DnnStatus::bad_param_null_pointer: return "CUDNN_STATUS_BAD_PARAM_NULL_POINTER";
    case DnnStatus::bad_param_not_finalized: return "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED";
    case DnnStatus::bad_param_size_insufficient: return "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT";
    case DnnStatus::bad_param_shape_mismatch: return "CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH";
    case DnnStatus::bad_param_attribute_type: return "CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE";
    case DnnStatus::not_supported: return "CUDNN_STATUS_NOT_SUPPORTED";
    case DnnStatus::not_supported_graph_pattern: return "CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN";
    case DnnStatus::not_supported_shape: return "CUDNN_STATUS_NOT_SUPPORTED_SHAPE";
    case DnnStatus::not_supported_data_type: return "CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE";
    case DnnStatus::internal_error: return "CUDNN_STATUS_INTERNAL_ERROR";
    case DnnStatus::host_allocation_failed: return "CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED";
    case DnnStatus::execution_failed: return "CUDNN_STATUS_EXECUTION_FAILED";
  }
  return "CUDNN_UNKNOWN_STATUS";
}

/// The stand-in says what it does not support on stderr and keeps no text.
void cudnnGetLastErrorString(char* message, std::size_t size) {
  if (message != nullptr && size > 0) *message = '\0';
}

DnnStatus cudnnCreate(DnnHandle** handle) {
  if (handle == nullptr) return DnnStatus::bad_param_null_pointer;
  *handle = std::make_unique<DnnHandle>().release();
  return DnnStatus::success;
}

DnnStatus cudnnDestroy(DnnHandle* handle) {
  const std::unique_ptr<DnnHandle> owned(handle);
  return DnnStatus::success;
}

DnnStatus cudnnSetStream(DnnHandle* handle, const void* stream) {
  if (handle == nullptr) return DnnStatus::bad_param_null_pointer;
  handle->stream = stream;
  return DnnStatus::success;
}

DnnStatus cudnnGetStream(DnnHandle* handle, const void** stream) {
  if (handle == nullptr || stream == nullptr) return DnnStatus::bad_param_null_pointer;
  *stream = handle->stream;
  return DnnStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
