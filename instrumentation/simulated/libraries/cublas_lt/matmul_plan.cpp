#include "instrumentation/simulated/libraries/cublas_lt/matmul_plan.h"

#include <utility>

namespace warpwalk::simulated::libraries {
namespace {

using namespace stand_in::cublas;

bool is_float8_type(int type) { return type == type_e4m3 || type == type_e5m2; }

/// Whether single-precision matrices may be rounded to TF32 with this compute type.
bool allows_lt_tf32(ComputeType compute) {
  return compute == ComputeType::f32_fast_tf32 || compute == ComputeType::f32_fast_f16 ||
         compute == ComputeType::f32_fast_bf16;
}

/// Whether the compute type exists for matrices of this type.
bool fits_compute_type(ComputeType compute, int type) {
  switch (compute) {
    case ComputeType::f16:
    case ComputeType::f16_pedantic: return type == type_f16;
    case ComputeType::f64:
    case ComputeType::f64_pedantic:
    case ComputeType::f64_emulated: return type == type_f64 || type == type_c64;
    case ComputeType::s32:
    case ComputeType::s32_pedantic: return type == type_s8;
    default: return type != type_f64 && type != type_c64 && type != type_s8;
  }
}

/// The type of the bias if the program does not set it.
int default_bias_type(const MatmulCall& call) {
  if (is_float8_type(call.a->type)) {
    // cuBLAS library, cublasLtMatmul: bfloat16 for 32-bit results, else the type of C for 8-bit ones.
    if (call.d->type == type_f32) return type_bf16;
    if (is_float8_type(call.d->type)) return is_float8_type(call.c->type) ? type_f16 : call.c->type;
  }
  if (call.a->type == type_s8) return call.operation->scale_type;
  return call.d->type;
}

/// Sets the factors of matrices. Returns what is not supported, or an empty text.
std::string set_scales(const MatmulDescription& operation, Product& p) {
  const auto known = [](ScaleMode mode) { return mode == ScaleMode::scalar || mode == ScaleMode::outer_vector; };
  if (!known(operation.a_mode) || !known(operation.b_mode)) return "scales of blocks";
  if (operation.c_mode != ScaleMode::scalar || operation.d_mode != ScaleMode::scalar)
    return "scales of blocks of C or D";
  if (operation.auxiliary_scale != nullptr || operation.auxiliary_largest != nullptr)
    return "scales of the auxiliary matrix";
  p.a_scale = operation.a_scale, p.b_scale = operation.b_scale;
  p.a_scale_step = static_cast<int>(operation.a_mode == ScaleMode::outer_vector && p.a_scale != nullptr);
  p.b_scale_step = static_cast<int>(operation.b_mode == ScaleMode::outer_vector && p.b_scale != nullptr);
  p.c_scale = operation.c_scale, p.d_scale = operation.d_scale;
  p.largest = operation.d_largest;
  return {};
}

/// Sets the epilogue, its bias and its auxiliary matrix. Returns what is not supported, or an empty text.
std::string set_epilogue(const MatmulCall& call, Product& p) {
  const MatmulDescription& operation = *call.operation;
  p.epilogue = operation.epilogue & ~1;
  constexpr int known = epilogue_relu | epilogue_bias | epilogue_relu_gradient | epilogue_bias_gradient |
                        epilogue_gelu | epilogue_gelu_gradient | epilogue_auxiliary | epilogue_bias_gradient_a |
                        epilogue_bias_gradient_b;
  if ((p.epilogue & ~known) != 0) return "this epilogue";
  if (p.epilogue == 0) return {};
  if (p.a_type == type_c32 || p.a_type == type_c64) return "epilogues of complex matrices";
  if (p.scale_type == type_s32) return "epilogues of integers";
  p.bias = operation.bias;
  p.bias_batch = operation.bias_batch;
  p.bias_type = operation.bias_type >= 0 ? operation.bias_type : default_bias_type(call);
  p.auxiliary = operation.auxiliary;
  p.auxiliary_column = operation.auxiliary_leading;
  p.auxiliary_batch = operation.auxiliary_batch;
  p.auxiliary_type = operation.auxiliary_type >= 0 ? operation.auxiliary_type : call.d->type;
  return {};
}

/// Whether rows, columns and leading dimensions fit each other.
bool valid_shapes(const MatmulCall& call, std::int64_t m, std::int64_t n, std::int64_t k) {
  const bool a_as_is = call.operation->a_operation == Operation::none;
  const bool b_as_is = call.operation->b_operation == Operation::none;
  const auto is = [](const MatrixLayout& layout, std::int64_t rows, std::int64_t columns) {
    return static_cast<std::int64_t>(layout.rows) == rows && static_cast<std::int64_t>(layout.columns) == columns &&
           layout.leading >= (layout.order == 1 ? columns : rows);
  };
  constexpr std::int64_t most = 0x7fffffff;
  return m <= most && n <= most && k <= most && is(*call.a, a_as_is ? m : k, a_as_is ? k : m) &&
         is(*call.b, b_as_is ? k : n, b_as_is ? n : k) && is(*call.c, m, n) && is(*call.d, m, n);
}

MatmulPlan not_supported(std::string problem) { return {BlasStatus::not_supported, std::move(problem), {}}; }

/// D by rows is the transpose of D by columns: D^T = B^T * A^T.
void exchange_operands(Product& p) {
  std::swap(p.m, p.n);
  std::swap(p.a_type, p.b_type);
  std::swap(p.a_row, p.b_column);
  std::swap(p.a_depth, p.b_depth);
  std::swap(p.a_batch, p.b_batch);
  std::swap(p.conjugate_a, p.conjugate_b);
  std::swap(p.a_scale, p.b_scale);
  std::swap(p.a_scale_step, p.b_scale_step);
}

}  // namespace

MatmulPlan plan_matmul(const MatmulCall& call) {
  MatmulPlan plan;
  if (call.operation == nullptr || call.a == nullptr || call.b == nullptr || call.c == nullptr || call.d == nullptr) {
    plan.status = BlasStatus::invalid_value;
    return plan;
  }
  const MatmulDescription& operation = *call.operation;
  const bool a_as_is = operation.a_operation == Operation::none, b_as_is = operation.b_operation == Operation::none;
  const auto m = static_cast<std::int64_t>(call.d->rows), n = static_cast<std::int64_t>(call.d->columns);
  const auto k = static_cast<std::int64_t>(a_as_is ? call.a->columns : call.a->rows);
  if (!valid_shapes(call, m, n, k) || call.a->batches != call.d->batches || call.b->batches != call.d->batches ||
      call.c->batches != call.d->batches || call.d->batches < 0) {
    plan.status = BlasStatus::invalid_value;
    return plan;
  }
  for (const MatrixLayout* layout : {call.a, call.b, call.c, call.d}) {
    if (layout->order != 0 && layout->order != 1) return not_supported("this order of elements");
    if (layout->batch_mode != 0) return not_supported("lists of matrices");
  }
  if (call.c->order != call.d->order) return not_supported("C and D in different orders");
  if (operation.c_operation != Operation::none || operation.fill_mode != 2) return not_supported("parts of D");
  if (!fits_compute_type(operation.compute, call.a->type)) return not_supported("this compute type for these matrices");

  Product& p = plan.launch.product;
  p.m = static_cast<int>(m), p.n = static_cast<int>(n), p.k = static_cast<int>(k);
  p.a_type = call.a->type, p.b_type = call.b->type, p.c_type = call.c->type, p.d_type = call.d->type;
  p.scale_type = operation.scale_type;
  const bool half = operation.compute == ComputeType::f16 || operation.compute == ComputeType::f16_pedantic;
  if (!has_product_kernel(p) || half != (p.scale_type == type_f16)) return not_supported("these types of matrices");
  plan.launch.tf32 = allows_lt_tf32(operation.compute);
  plan.launch.batches = call.d->batches;
  const bool a_rows_inner = a_as_is == (call.a->order == 0), b_depth_inner = b_as_is == (call.b->order == 0);
  p.a_row = a_rows_inner ? 1 : call.a->leading, p.a_depth = a_rows_inner ? call.a->leading : 1;
  p.b_column = b_depth_inner ? call.b->leading : 1, p.b_depth = b_depth_inner ? 1 : call.b->leading;
  p.a_batch = call.a->batch_stride, p.b_batch = call.b->batch_stride;
  p.c_batch = call.c->batch_stride, p.d_batch = call.d->batch_stride;
  p.c_column = call.c->leading, p.d_column = call.d->leading;
  p.conjugate_a = static_cast<int>(operation.a_operation == Operation::conjugate_transpose);
  p.conjugate_b = static_cast<int>(operation.b_operation == Operation::conjugate_transpose);
  std::string problem = set_scales(operation, p);
  if (problem.empty()) problem = set_epilogue(call, p);
  if (problem.empty() && call.d->order == 1 && (p.epilogue != 0 || operation.pointer_mode > LtPointerMode::device))
    problem = "epilogues and vectors of alpha with D by rows";
  if (!problem.empty()) return not_supported(std::move(problem));
  if (call.d->order == 1) exchange_operands(p);
  return plan;
}

}  // namespace warpwalk::simulated::libraries
