// Handles, the texts of statuses, and descriptors of matrices in arrays.
#include <memory>

#include "instrumentation/simulated/libraries/cusparse/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

/// The version of CUDA 13.0's library.
constexpr int sparse_version[] = {12, 6, 3};

/// The name and the description of a status.
struct SparseStatusText {
  const char *name, *text;
};
SparseStatusText text_of(SparseStatus status) {
  switch (status) {
    case SparseStatus::success: return {"CUSPARSE_STATUS_SUCCESS", "success"};
    case SparseStatus::not_initialized: return {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"};
    case SparseStatus::alloc_failed: return {"CUSPARSE_STATUS_ALLOC_FAILED", "out of memory"};
    case SparseStatus::invalid_value: return {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"};
    case SparseStatus::arch_mismatch: return {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture mismatch"};
    case SparseStatus::mapping_error: return {"CUSPARSE_STATUS_MAPPING_ERROR", "memory mapping error"};
    case SparseStatus::execution_failed: return {"CUSPARSE_STATUS_EXECUTION_FAILED", "kernel launch failure"};
    case SparseStatus::internal_error: return {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"};
    case SparseStatus::matrix_type_not_supported:
      return {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "matrix type not supported"};
    case SparseStatus::zero_pivot: return {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"};
    case SparseStatus::not_supported: return {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"};
    case SparseStatus::insufficient_resources:
      return {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"};
  }
  return {"unrecognized error code", "unrecognized error code"};
}

/// Changes a setting of a descriptor; `value` must be from 0 to `most`.
SparseStatus set_descr(SparseMatDescr* descr, int SparseMatDescr::*setting, int value, int most) {
  if (descr == nullptr || value < 0 || value > most) return SparseStatus::invalid_value;
  descr->*setting = value;
  return SparseStatus::success;
}

}  // namespace

extern "C" {

SparseStatus cusparseCreate(SparseHandle** handle) {
  if (handle == nullptr) return SparseStatus::invalid_value;
  *handle = std::make_unique<SparseHandle>().release();
  return SparseStatus::success;
}

SparseStatus cusparseDestroy(SparseHandle* handle) {
  const std::unique_ptr<SparseHandle> owned(handle);
  return handle == nullptr ? SparseStatus::not_initialized : SparseStatus::success;
}

SparseStatus cusparseSetStream(SparseHandle* handle, const void* stream) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  handle->stream = stream;
  return SparseStatus::success;
}

SparseStatus cusparseGetStream(SparseHandle* handle, const void** stream) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (stream == nullptr) return SparseStatus::invalid_value;
  *stream = handle->stream;
  return SparseStatus::success;
}

SparseStatus cusparseSetPointerMode(SparseHandle* handle, int mode) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (mode != 0 && mode != 1) return SparseStatus::invalid_value;
  handle->scalars_on_device = mode == 1;
  return SparseStatus::success;
}

SparseStatus cusparseGetPointerMode(SparseHandle* handle, int* mode) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (mode == nullptr) return SparseStatus::invalid_value;
  *mode = handle->scalars_on_device ? 1 : 0;
  return SparseStatus::success;
}

SparseStatus cusparseGetVersion(SparseHandle* handle, int* version) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (version == nullptr) return SparseStatus::invalid_value;
  *version = sparse_version[0] * 1000 + sparse_version[1] * 100 + sparse_version[2];
  return SparseStatus::success;
}

SparseStatus cusparseGetProperty(int property, int* value) {
  if (value == nullptr || property < 0 || property > 2) return SparseStatus::invalid_value;
  *value = sparse_version[property];
  return SparseStatus::success;
}

const char* cusparseGetErrorName(SparseStatus status) { return text_of(status).name; }
const char* cusparseGetErrorString(SparseStatus status) { return text_of(status).text; }

SparseStatus cusparseCreateMatDescr(SparseMatDescr** descr) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  *descr = std::make_unique<SparseMatDescr>().release();
  return SparseStatus::success;
}

SparseStatus cusparseDestroyMatDescr(SparseMatDescr* descr) {
  const std::unique_ptr<SparseMatDescr> owned(descr);
  return SparseStatus::success;
}

SparseStatus cusparseSetMatType(SparseMatDescr* descr, int type) {
  return set_descr(descr, &SparseMatDescr::type, type, 3);
}
SparseStatus cusparseSetMatFillMode(SparseMatDescr* descr, int fill) {
  return set_descr(descr, &SparseMatDescr::fill, fill, 1);
}
SparseStatus cusparseSetMatDiagType(SparseMatDescr* descr, int diagonal) {
  return set_descr(descr, &SparseMatDescr::diagonal, diagonal, 1);
}
SparseStatus cusparseSetMatIndexBase(SparseMatDescr* descr, int base) {
  return set_descr(descr, &SparseMatDescr::base, base, 1);
}
int cusparseGetMatType(const SparseMatDescr* descr) { return descr->type; }
int cusparseGetMatFillMode(const SparseMatDescr* descr) { return descr->fill; }
int cusparseGetMatDiagType(const SparseMatDescr* descr) { return descr->diagonal; }
int cusparseGetMatIndexBase(const SparseMatDescr* descr) { return descr->base; }

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
