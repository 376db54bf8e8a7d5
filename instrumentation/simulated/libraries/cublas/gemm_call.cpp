#include "instrumentation/simulated/libraries/cublas/gemm_call.h"

#include <algorithm>
#include <limits>

#include "instrumentation/simulated/libraries/common/kernel_set.h"

namespace warpwalk::simulated::libraries {
namespace {

bool is_operation(Operation operation) {
  return operation == Operation::none || operation == Operation::transpose ||
         operation == Operation::conjugate_transpose;
}

bool valid_gemm(const GemmCall& call) {
  if (!is_operation(call.a_operation) || !is_operation(call.b_operation)) return false;
  if (call.m < 0 || call.n < 0 || call.k < 0 || call.batches < 0) return false;
  const std::int64_t a_rows = call.a_operation == Operation::none ? call.m : call.k;
  const std::int64_t b_rows = call.b_operation == Operation::none ? call.k : call.n;
  return call.a.leading >= std::max<std::int64_t>(1, a_rows) && call.b.leading >= std::max<std::int64_t>(1, b_rows) &&
         call.c.leading >= std::max<std::int64_t>(1, call.m);
}

}  // namespace

bool allows_tf32(const BlasHandle& handle) {
  const int mode = handle.math_mode & 15;
  return mode == math_tf32 || mode == math_tensor_op;
}

BlasStatus call_gemm(const BlasHandle* handle, const GemmCall& call) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (!valid_gemm(call)) return BlasStatus::invalid_value;
  if (call.m == 0 || call.n == 0 || call.batches == 0) return BlasStatus::success;
  if (call.alpha == nullptr || call.beta == nullptr) return BlasStatus::invalid_value;
  return guarded<BlasStatus>(call.function, BlasStatus::internal_error, [&] {
    ProductLaunch launch;
    launch.stream = handle->stream;
    launch.tf32 = call.tf32;
    launch.batches = static_cast<int>(call.batches);
    Product& p = launch.product;
    p.m = static_cast<int>(call.m), p.n = static_cast<int>(call.n), p.k = static_cast<int>(call.k);
    p.a_type = call.a.type, p.b_type = call.b.type, p.c_type = p.d_type = call.c.type;
    p.scale_type = call.scale_type;
    if (!has_product_kernel(p)) {
      tell_not_supported("cuBLAS", call.function, "these types of matrices");
      return BlasStatus::not_supported;
    }
    const bool a_as_is = call.a_operation == Operation::none, b_as_is = call.b_operation == Operation::none;
    p.a = call.a.at, p.a_batch = call.a.batch, p.a_list = call.a.list;
    p.a_row = a_as_is ? 1 : call.a.leading, p.a_depth = a_as_is ? call.a.leading : 1;
    p.b = call.b.at, p.b_batch = call.b.batch, p.b_list = call.b.list;
    p.b_column = b_as_is ? call.b.leading : 1, p.b_depth = b_as_is ? 1 : call.b.leading;
    p.c = call.c.at, p.c_column = call.c.leading, p.c_batch = call.c.batch;
    p.d = const_cast<void*>(call.c.at), p.d_column = call.c.leading, p.d_batch = call.c.batch;
    p.d_list = const_cast<void* const*>(call.c.list);
    p.conjugate_a = static_cast<int>(call.a_operation == Operation::conjugate_transpose);
    p.conjugate_b = static_cast<int>(call.b_operation == Operation::conjugate_transpose);
    if (handle->scalars_on_device()) {
      p.alpha_at = call.alpha;
      p.beta_at = call.beta;
    } else {
      read_scalar(call.alpha, call.scale_type, p.alpha, p.alpha_imaginary);
      read_scalar(call.beta, call.scale_type, p.beta, p.beta_imaginary);
    }
    return launch_product(launch);
  });
}

}  // namespace warpwalk::simulated::libraries
