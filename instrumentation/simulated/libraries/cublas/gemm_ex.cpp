// Products of matrices whose types are arguments: GemmEx, GemmStridedBatchedEx, GemmBatchedEx, SgemmEx.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas/gemm_call.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// Sets the type of alpha and beta, and whether TF32 is allowed. Returns false if there is no such compute type.
bool set_compute_type(const BlasHandle& handle, ComputeType compute, GemmCall& call) {
  const bool is_complex = call.a.type == type_c32 || call.a.type == type_c64;
  switch (compute) {
    case ComputeType::f16:
    case ComputeType::f16_pedantic: call.scale_type = type_f16; return true;
    case ComputeType::f32: call.tf32 = allows_tf32(handle); break;
    case ComputeType::f32_fast_f16:
    case ComputeType::f32_fast_bf16:
    case ComputeType::f32_fast_tf32: call.tf32 = true; break;
    case ComputeType::f32_pedantic:
    case ComputeType::f32_emulated: break;
    case ComputeType::f64:
    case ComputeType::f64_pedantic:
    case ComputeType::f64_emulated: call.scale_type = is_complex ? type_c64 : type_f64; return true;
    case ComputeType::s32:
    case ComputeType::s32_pedantic: call.scale_type = type_s32; return true;
    default: return false;
  }
  call.scale_type = is_complex ? type_c32 : type_f32;
  return true;
}

BlasStatus run_gemm_ex(const BlasHandle* handle, GemmCall call, ComputeType compute) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (!set_compute_type(*handle, compute, call)) return BlasStatus::not_supported;
  return call_gemm(handle, call);
}

}  // namespace

extern "C" {

BlasStatus cublasGemmEx(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                        const void* alpha, const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                        const void* beta, void* c, int c_type, int ldc, ComputeType compute, int) {
  const GemmCall call{"cublasGemmEx",   a_operation,      b_operation,     m, n, k, alpha, beta, 0,
                      {a, a_type, lda}, {b, b_type, ldb}, {c, c_type, ldc}};
  return run_gemm_ex(handle, call, compute);
}

BlasStatus cublasGemmStridedBatchedEx(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n,
                                      int k, const void* alpha, const void* a, int a_type, int lda, long long a_batch,
                                      const void* b, int b_type, int ldb, long long b_batch, const void* beta, void* c,
                                      int c_type, int ldc, long long c_batch, int batches, ComputeType compute, int) {
  const GemmCall call{"cublasGemmStridedBatchedEx",
                      a_operation,
                      b_operation,
                      m,
                      n,
                      k,
                      alpha,
                      beta,
                      0,
                      {a, a_type, lda, a_batch},
                      {b, b_type, ldb, b_batch},
                      {c, c_type, ldc, c_batch},
                      batches};
  return run_gemm_ex(handle, call, compute);
}

BlasStatus cublasGemmBatchedEx(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                               const void* alpha, const void* const* a, int a_type, int lda, const void* const* b,
                               int b_type, int ldb, const void* beta, void* const* c, int c_type, int ldc, int batches,
                               ComputeType compute, int) {
  const GemmCall call{"cublasGemmBatchedEx",
                      a_operation,
                      b_operation,
                      m,
                      n,
                      k,
                      alpha,
                      beta,
                      0,
                      {nullptr, a_type, lda, 0, a},
                      {nullptr, b_type, ldb, 0, b},
                      {nullptr, c_type, ldc, 0, c},
                      batches};
  return run_gemm_ex(handle, call, compute);
}

BlasStatus cublasSgemmEx(BlasHandle* handle, Operation a_operation, Operation b_operation, int m, int n, int k,
                         const float* alpha, const void* a, int a_type, int lda, const void* b, int b_type, int ldb,
                         const float* beta, void* c, int c_type, int ldc) {
  const GemmCall call{"cublasSgemmEx",  a_operation,      b_operation,     m, n, k, alpha, beta, 0,
                      {a, a_type, lda}, {b, b_type, ldb}, {c, c_type, ldc}};
  return run_gemm_ex(handle, call, ComputeType::f32);
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
