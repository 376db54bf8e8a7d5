// Triangular systems: cusparseSpSV and cusparseSpSM.
#include "instrumentation/simulated/libraries/cusparse/solve.h"

#include <memory>

namespace warpwalk::simulated::libraries {

SparseStatus solve(const char* function, const SparseHandle* handle, const SparseSystem& of) {
  if (computed_in(of.data) != of.data || !is_known(of.data)) return sparse_not_supported(function, "half precision");
  if (of.rows == 0 || of.columns == 0) return SparseStatus::success;
  const stand_in::cusparse::Triangle triangle{of.fill, of.diagonal, of.op == SparseOp::none ? 0 : 1,
                                              of.op == SparseOp::conjugate_transpose ? 1 : 0};
  return with_computed(of.data, [&](auto number) {
    using Wide = decltype(number);
    return sparse_status(launch("solve", kernel_name("solve_triangular", {of.data}), warps_over(of.columns, of.batches),
                                handle->stream, of.a, of.b, of.x, of.rows, of.columns,
                                scalar_of<Wide>(*handle, of.alpha, of.data), triangle, of.conjugate_b ? 1 : 0,
                                of.zero_pivot));
  });
}

namespace {

/// What a cusparseSpSVDescr_t or cusparseSpSMDescr_t points to: the analysis needs to keep nothing.
struct SolveDescr {
  bool analysed = false;
};

/// The system of a matrix of the generic functions. CSC is CSR of the transpose.
SparseSystem system_with(const SparseMatrix& a, SparseOp op, const void* alpha) {
  SparseSystem system;
  system.a = rows_of(a);
  system.rows = a.rows;
  system.op = op, system.fill = a.fill, system.diagonal = a.diagonal;
  system.alpha = alpha, system.data = a.data;
  return system;
}

SparseStatus check_system(const char* function, const SparseHandle* handle, const void* alpha, const SparseMatrix* a,
                          const void* b, const void* x, SparseData computed) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (alpha == nullptr || a == nullptr || b == nullptr || x == nullptr || a->rows != a->columns)
    return SparseStatus::invalid_value;
  if (a->format != SparseFormat::csr && a->format != SparseFormat::coo)
    return sparse_not_supported(function, "a format other than CSR and COO");
  if (computed != a->data) return sparse_not_supported(function, "this data type of the computation");
  return SparseStatus::success;
}

SparseStatus create_descr(SolveDescr** descr) {
  if (descr == nullptr) return SparseStatus::invalid_value;
  *descr = std::make_unique<SolveDescr>().release();
  return SparseStatus::success;
}

SparseStatus destroy_descr(SolveDescr* descr) {
  const std::unique_ptr<SolveDescr> owned(descr);
  return SparseStatus::success;
}

SparseStatus analyse(const SparseHandle* handle, SolveDescr* descr) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (descr == nullptr) return SparseStatus::invalid_value;
  descr->analysed = true;
  return SparseStatus::success;
}

SparseStatus solve_bytes(const SparseHandle* handle, std::size_t* bytes) {
  if (handle == nullptr) return SparseStatus::not_initialized;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  *bytes = 0;
  return SparseStatus::success;
}

SparseStatus solve_vector(SparseHandle* handle, SparseOp op, const void* alpha, const SparseMatrix* a,
                          const DenseVector* b, DenseVector* x, SparseData computed, const SolveDescr* descr) {
  if (const auto wrong = check_system("cusparseSpSV_solve", handle, alpha, a, b, x, computed);
      wrong != SparseStatus::success)
    return wrong;
  if (descr == nullptr || !descr->analysed || b->size != a->rows || x->size != a->rows || b->data != a->data ||
      x->data != a->data)
    return SparseStatus::invalid_value;
  SparseSystem system = system_with(*a, op, alpha);
  system.b = dense_of(*b), system.x = dense_of(*x);
  return solve("cusparseSpSV_solve", handle, system);
}

SparseStatus solve_matrix(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha, const SparseMatrix* a,
                          const DenseMatrix* b, DenseMatrix* x, SparseData computed, const SolveDescr* descr) {
  if (const auto wrong = check_system("cusparseSpSM_solve", handle, alpha, a, b, x, computed);
      wrong != SparseStatus::success)
    return wrong;
  const bool plain = op_b == SparseOp::none;
  if (descr == nullptr || !descr->analysed || x->rows != a->rows || (plain ? b->rows : b->columns) != a->rows ||
      (plain ? b->columns : b->rows) != x->columns || b->data != a->data || x->data != a->data)
    return SparseStatus::invalid_value;
  SparseSystem system = system_with(*a, op_a, alpha);
  system.b = dense_of(*b, op_b), system.x = dense_of(*x, SparseOp::none);
  system.columns = x->columns, system.batches = x->batches;
  system.conjugate_b = op_b == SparseOp::conjugate_transpose;
  return solve("cusparseSpSM_solve", handle, system);
}

}  // namespace

extern "C" {

SparseStatus cusparseSpSV_createDescr(SolveDescr** descr) { return create_descr(descr); }
SparseStatus cusparseSpSV_destroyDescr(SolveDescr* descr) { return destroy_descr(descr); }
SparseStatus cusparseSpSV_bufferSize(SparseHandle* handle, SparseOp, const void*, const SparseMatrix*,
                                     const DenseVector*, DenseVector*, SparseData, int, SolveDescr*,
                                     std::size_t* bytes) {
  return solve_bytes(handle, bytes);
}
SparseStatus cusparseSpSV_analysis(SparseHandle* handle, SparseOp, const void*, const SparseMatrix*, const DenseVector*,
                                   DenseVector*, SparseData, int, SolveDescr* descr, void*) {
  return analyse(handle, descr);
}
SparseStatus cusparseSpSV_solve(SparseHandle* handle, SparseOp op, const void* alpha, const SparseMatrix* a,
                                const DenseVector* b, DenseVector* x, SparseData computed, int, SolveDescr* descr) {
  return guarded<SparseStatus>("cusparseSpSV_solve", SparseStatus::internal_error,
                               [&] { return solve_vector(handle, op, alpha, a, b, x, computed, descr); });
}

SparseStatus cusparseSpSM_createDescr(SolveDescr** descr) { return create_descr(descr); }
SparseStatus cusparseSpSM_destroyDescr(SolveDescr* descr) { return destroy_descr(descr); }
SparseStatus cusparseSpSM_bufferSize(SparseHandle* handle, SparseOp, SparseOp, const void*, const SparseMatrix*,
                                     const DenseMatrix*, DenseMatrix*, SparseData, int, SolveDescr*,
                                     std::size_t* bytes) {
  return solve_bytes(handle, bytes);
}
SparseStatus cusparseSpSM_analysis(SparseHandle* handle, SparseOp, SparseOp, const void*, const SparseMatrix*,
                                   const DenseMatrix*, DenseMatrix*, SparseData, int, SolveDescr* descr, void*) {
  return analyse(handle, descr);
}
SparseStatus cusparseSpSM_solve(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha,
                                const SparseMatrix* a, const DenseMatrix* b, DenseMatrix* x, SparseData computed, int,
                                SolveDescr* descr) {
  return guarded<SparseStatus>("cusparseSpSM_solve", SparseStatus::internal_error,
                               [&] { return solve_matrix(handle, op_a, op_b, alpha, a, b, x, computed, descr); });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
