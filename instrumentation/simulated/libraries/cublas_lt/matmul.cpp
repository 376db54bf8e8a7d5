// cublasLtMatmul, and the one algorithm that its heuristic has.
#include "instrumentation/simulated/libraries/common/kernel_set.h"
#include "instrumentation/simulated/libraries/cublas_lt/matmul_plan.h"

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

/// The number of the algorithm: the kernel follows from the product.
constexpr std::uint64_t only_algorithm = 1;

/// Sets alpha and beta, or where they are in device memory.
void set_lt_scalars(const MatmulDescription& operation, const void* alpha, const void* beta, Product& p) {
  const LtPointerMode mode = operation.pointer_mode;
  if (mode == LtPointerMode::host) {
    read_scalar(alpha, operation.scale_type, p.alpha, p.alpha_imaginary);
  } else {
    p.alpha = 1;
    p.alpha_at = alpha;
    p.alpha_step = static_cast<int>(mode != LtPointerMode::device);
  }
  if (mode == LtPointerMode::host || mode == LtPointerMode::alpha_vector_beta_host)
    read_scalar(beta, operation.scale_type, p.beta, p.beta_imaginary);
  else if (mode != LtPointerMode::alpha_vector_beta_zero)
    p.beta_at = beta;
}

/// The gradient of the bias: sums over the rows of D, of A or of B.
BlasStatus launch_bias_gradient(const Product& p, const void* stream) {
  struct Rows {
    const void* at = nullptr;
    int type = 0, rows = 0, length = 0;
    std::int64_t row_step = 0, step = 0;
  } of;
  if ((p.epilogue & epilogue_bias_gradient) != 0)
    of = {p.d, p.d_type, p.m, p.n, 1, p.d_column};
  else if ((p.epilogue & epilogue_bias_gradient_a) != 0)
    of = {p.a, p.a_type, p.m, p.k, p.a_row, p.a_depth};
  else
    of = {p.b, p.b_type, p.n, p.k, p.b_column, p.b_depth};
  LaunchShape shape;
  shape.grid[0] = static_cast<std::uint32_t>((of.rows + 3) / 4);
  shape.block[0] = 128;
  return blas_status(launch("bias_gradient", of.type == type_f64 ? "sum_rows<double>" : "sum_rows<float>", shape,
                            stream, of.at, of.type, of.rows, of.length, static_cast<long long>(of.row_step),
                            static_cast<long long>(of.step), const_cast<void*>(p.bias), p.bias_type));
}

BlasStatus run_matmul(const MatmulCall& call, const void* alpha, const void* a, const void* b, const void* beta,
                      const void* c, void* d, const void* stream) {
  MatmulPlan plan = plan_matmul(call);
  if (plan.status == BlasStatus::not_supported) tell_not_supported("cuBLASLt", "cublasLtMatmul", plan.problem);
  if (plan.status != BlasStatus::success) return plan.status;
  Product& p = plan.launch.product;
  const bool by_rows = call.d->order == 1;
  p.a = by_rows ? b : a;
  p.b = by_rows ? a : b;
  p.c = c;
  p.d = d;
  set_lt_scalars(*call.operation, alpha, beta, p);
  const int epilogue = p.epilogue;
  const bool needs_auxiliary = (epilogue & epilogue_auxiliary) != 0;
  constexpr int gradients = epilogue_bias_gradient | epilogue_bias_gradient_a | epilogue_bias_gradient_b;
  if ((needs_auxiliary && p.auxiliary == nullptr) ||
      ((epilogue & (epilogue_bias | gradients)) != 0 && p.bias == nullptr))
    return BlasStatus::invalid_value;
  if ((epilogue & epilogue_relu) != 0 && needs_auxiliary &&
      (p.beta != 0 || p.beta_at != nullptr || p.alpha_step != 0)) {
    tell_not_supported("cuBLASLt", "cublasLtMatmul", "the mask of ReLU with beta or a vector of alpha");
    return BlasStatus::not_supported;
  }
  if ((epilogue & gradients) != 0 && plan.launch.batches > 1) {
    tell_not_supported("cuBLASLt", "cublasLtMatmul", "gradients of the bias of a batch");
    return BlasStatus::not_supported;
  }
  plan.launch.stream = stream;
  p.epilogue &= ~gradients;
  const BlasStatus status = launch_product(plan.launch);
  if (status != BlasStatus::success || (epilogue & gradients) == 0 || p.m == 0 || p.n == 0) return status;
  p.epilogue = epilogue;
  return launch_bias_gradient(p, stream);
}

}  // namespace

extern "C" {

BlasStatus cublasLtMatmulAlgoGetHeuristic(const void* handle, const MatmulDescription* operation, const MatrixLayout* a,
                                          const MatrixLayout* b, const MatrixLayout* c, const MatrixLayout* d,
                                          const MatmulPreference* preference, int requested, HeuristicResult* results,
                                          int* returned) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (preference == nullptr || results == nullptr || returned == nullptr || requested < 1)
    return BlasStatus::invalid_value;
  *returned = 0;
  const MatmulPlan plan = plan_matmul({operation, a, b, c, d});
  if (plan.status != BlasStatus::success) {
    if (plan.status == BlasStatus::not_supported)
      tell_not_supported("cuBLASLt", "cublasLtMatmulAlgoGetHeuristic", plan.problem);
    return plan.status;
  }
  results[0] = {};
  results[0].algorithm.data[0] = only_algorithm;
  results[0].waves = 1;
  *returned = 1;
  return BlasStatus::success;
}

BlasStatus cublasLtMatmulAlgoCheck(const void* handle, const MatmulDescription* operation, const MatrixLayout* a,
                                   const MatrixLayout* b, const MatrixLayout* c, const MatrixLayout* d,
                                   const MatmulAlgorithm* algorithm, HeuristicResult* result) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (algorithm == nullptr || result == nullptr) return BlasStatus::invalid_value;
  const MatmulPlan plan = plan_matmul({operation, a, b, c, d});
  *result = {};
  result->algorithm = *algorithm;
  result->state = plan.status;
  result->waves = 1;
  return plan.status;
}

BlasStatus cublasLtMatmul(const void* handle, const MatmulDescription* operation, const void* alpha, const void* a,
                          const MatrixLayout* a_layout, const void* b, const MatrixLayout* b_layout, const void* beta,
                          const void* c, const MatrixLayout* c_layout, void* d, const MatrixLayout* d_layout,
                          const MatmulAlgorithm*, void*, std::size_t, const void* stream) {
  if (handle == nullptr) return BlasStatus::not_initialized;
  if (alpha == nullptr ||
      (beta == nullptr && operation != nullptr && operation->pointer_mode != LtPointerMode::alpha_vector_beta_zero))
    return BlasStatus::invalid_value;
  return guarded<BlasStatus>("cublasLtMatmul", BlasStatus::internal_error, [&] {
    return run_matmul({operation, a_layout, b_layout, c_layout, d_layout}, alpha, a, b, beta, c, d, stream);
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
