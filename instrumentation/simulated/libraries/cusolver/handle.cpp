// Handles, parameters, and settings of the Jacobi methods.
#include <memory>

#include "instrumentation/simulated/libraries/cusolver/abi.h"

namespace warpwalk::simulated::libraries {
namespace {

template <class Object>
SolverStatus create_object(Object** into) {
  if (into == nullptr) return SolverStatus::invalid_value;
  *into = std::make_unique<Object>().release();
  return SolverStatus::success;
}

template <class Object>
SolverStatus destroy_object(Object* object) {
  const std::unique_ptr<Object> owned(object);
  return object == nullptr ? SolverStatus::not_initialized : SolverStatus::success;
}

template <class Value>
SolverStatus set_jacobi(JacobiSettings* settings, Value JacobiSettings::*member, Value value) {
  if (settings == nullptr) return SolverStatus::not_initialized;
  settings->*member = value;
  return SolverStatus::success;
}

}  // namespace

extern "C" {

SolverStatus cusolverDnCreate(SolverHandle** handle) { return create_object(handle); }
SolverStatus cusolverDnDestroy(SolverHandle* handle) { return destroy_object(handle); }

SolverStatus cusolverDnSetStream(SolverHandle* handle, const void* stream) {
  if (handle == nullptr) return SolverStatus::not_initialized;
  handle->stream = stream;
  return SolverStatus::success;
}
SolverStatus cusolverDnGetStream(SolverHandle* handle, const void** stream) {
  if (handle == nullptr) return SolverStatus::not_initialized;
  if (stream == nullptr) return SolverStatus::invalid_value;
  *stream = handle->stream;
  return SolverStatus::success;
}

SolverStatus cusolverDnCreateParams(SolverParams** params) { return create_object(params); }
SolverStatus cusolverDnDestroyParams(SolverParams* params) { return destroy_object(params); }

SolverStatus cusolverDnCreateGesvdjInfo(JacobiSettings** info) { return create_object(info); }
SolverStatus cusolverDnDestroyGesvdjInfo(JacobiSettings* info) { return destroy_object(info); }
SolverStatus cusolverDnXgesvdjSetTolerance(JacobiSettings* info, double tolerance) {
  return set_jacobi(info, &JacobiSettings::tolerance, tolerance);
}
SolverStatus cusolverDnXgesvdjSetMaxSweeps(JacobiSettings* info, int sweeps) {
  return set_jacobi(info, &JacobiSettings::max_sweeps, sweeps);
}
SolverStatus cusolverDnXgesvdjSetSortEig(JacobiSettings* info, int sorted) {
  return set_jacobi(info, &JacobiSettings::sorted, sorted);
}

SolverStatus cusolverDnCreateSyevjInfo(JacobiSettings** info) { return create_object(info); }
SolverStatus cusolverDnDestroySyevjInfo(JacobiSettings* info) { return destroy_object(info); }
SolverStatus cusolverDnXsyevjSetTolerance(JacobiSettings* info, double tolerance) {
  return set_jacobi(info, &JacobiSettings::tolerance, tolerance);
}
SolverStatus cusolverDnXsyevjSetMaxSweeps(JacobiSettings* info, int sweeps) {
  return set_jacobi(info, &JacobiSettings::max_sweeps, sweeps);
}
SolverStatus cusolverDnXsyevjSetSortEig(JacobiSettings* info, int sorted) {
  return set_jacobi(info, &JacobiSettings::sorted, sorted);
}

SolverStatus cusolverGetVersion(int* version) {
  if (version == nullptr) return SolverStatus::invalid_value;
  *version = 12004;  // of CUDA 13.0
  return SolverStatus::success;
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
