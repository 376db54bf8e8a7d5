// Sparse times sparse: cusparseSpGEMM.
#include <memory>

#include "instrumentation/simulated/libraries/cusparse/call.h"

namespace warpwalk::simulated::libraries {
namespace {

/// What a cusparseSpGEMMDescr_t points to: the arrays in the program's buffers, from one step to the next.
struct SparseProductSteps {
  long long* starts = nullptr;  ///< of the products of each row
  long long* counts = nullptr;
  std::int64_t products = -1;  ///< -1: workEstimation has not run
  long long* offsets = nullptr;
  int* columns = nullptr;
  void* sums = nullptr;
  std::int64_t entries = -1;  ///< -1: compute has not run
};

struct SparseProductCall {
  const char* function;
  SparseHandle* handle;
  SparseOp op_a, op_b;
  const void* alpha;
  const SparseMatrix *a, *b;
  const void* beta;
  SparseMatrix* c;
  SparseData computed;
  SparseProductSteps* steps;
};

SparseStatus check_steps(const SparseProductCall& call) {
  if (call.handle == nullptr) return SparseStatus::not_initialized;
  if (call.alpha == nullptr || call.a == nullptr || call.b == nullptr || call.beta == nullptr || call.c == nullptr ||
      call.steps == nullptr)
    return SparseStatus::invalid_value;
  const SparseMatrix &a = *call.a, &b = *call.b, &c = *call.c;
  if (a.format != SparseFormat::csr || b.format != SparseFormat::csr || c.format != SparseFormat::csr)
    return sparse_not_supported(call.function, "a format other than CSR");
  if (call.op_a != SparseOp::none || call.op_b != SparseOp::none)
    return sparse_not_supported(call.function, "transposed matrices");
  if (a.columns != b.rows || a.rows != c.rows || b.columns != c.columns) return SparseStatus::invalid_value;
  if (!is_known(a.data) || b.data != a.data || c.data != a.data || computed_in(call.computed) != computed_in(a.data))
    return sparse_not_supported(call.function, "this combination of data types");
  if (c.columns > INT32_MAX) return sparse_not_supported(call.function, "more columns than 32 bits can count");
  return SparseStatus::success;
}

/// Launches kernels one after another until one fails.
class LaunchChain {
 public:
  explicit LaunchChain(const SparseHandle& handle) : handle_(handle) {}
  template <class... Arguments>
  void operator()(const char* file, const std::string& kernel, const LaunchShape& shape, Arguments... arguments) {
    if (error_ == Error::success) error_ = launch(file, kernel, shape, handle_.stream, arguments...);
  }
  void read(void* to, const void* from, std::size_t bytes) {
    if (error_ == Error::success) error_ = read_back(handle_, to, from, bytes);
  }
  SparseStatus status() const { return sparse_status(error_); }

 private:
  const SparseHandle& handle_;
  Error error_ = Error::success;
};

LaunchShape one_block() {
  LaunchShape shape;
  shape.block[0] = 256;
  return shape;
}

/// Counts the products, which decides the size of the second buffer.
SparseStatus estimate_work(const SparseProductCall& call, std::size_t* bytes, void* buffer) {
  if (const SparseStatus wrong = check_steps(call); wrong != SparseStatus::success) return wrong;
  if (bytes == nullptr) return SparseStatus::invalid_value;
  const std::int64_t rows = call.a->rows;
  SparseWork work(buffer);
  auto* const starts = work.take<long long>(rows + 1);
  auto* const counts = work.take<long long>(rows);
  if (buffer == nullptr) {
    *bytes = work.bytes();
    return SparseStatus::success;
  }
  SparseProductSteps& steps = *call.steps;
  steps.starts = starts, steps.counts = counts, steps.products = 0;
  if (rows == 0) return SparseStatus::success;
  LaunchChain chain(*call.handle);
  chain("sparse_product", "count_products", threads_over(rows), rows_of(*call.a), rows_of(*call.b),
        static_cast<long long>(rows), counts);
  chain("scan", "scan_counts", one_block(), static_cast<const long long*>(counts), static_cast<long long>(rows),
        static_cast<void*>(starts), 1, 0);
  chain.read(&steps.products, starts + rows, sizeof(std::int64_t));
  return chain.status();
}

SparseStatus compute_product(const SparseProductCall& call, std::size_t* bytes, void* buffer) {
  if (const SparseStatus wrong = check_steps(call); wrong != SparseStatus::success) return wrong;
  SparseProductSteps& steps = *call.steps;
  if (bytes == nullptr || steps.products < 0) return SparseStatus::invalid_value;
  const SparseData data = call.a->data;
  const auto rows = static_cast<long long>(call.a->rows);
  const auto wide_bytes = static_cast<std::int64_t>(bytes_of(computed_in(data)));
  SparseWork work(buffer);
  auto* const keys = work.take<unsigned long long>(steps.products);
  void* const products = work.take<std::uint8_t>(steps.products * wide_bytes);
  void* const sums = work.take<std::uint8_t>(steps.products * wide_bytes);
  auto* const columns = work.take<int>(steps.products);
  auto* const offsets = work.take<long long>(rows + 1);
  if (buffer == nullptr) {
    *bytes = work.bytes();
    return SparseStatus::success;
  }
  steps.offsets = offsets, steps.columns = columns, steps.sums = sums, steps.entries = 0;
  LaunchChain chain(*call.handle);
  if (rows != 0) {
    const long long* const starts = steps.starts;
    chain("sparse_product", kernel_name("write_products", {data}), warps_over(rows), rows_of(*call.a), rows_of(*call.b),
          rows, starts, keys, products);
    chain("sparse_product", "sort_products", warps_over(rows), rows, starts, keys);
    chain("sparse_product", kernel_name("sum_products", {computed_in(data)}), warps_over(rows), rows, starts,
          static_cast<const unsigned long long*>(keys), static_cast<const void*>(products), columns, sums,
          steps.counts);
    chain("scan", "scan_counts", one_block(), static_cast<const long long*>(steps.counts), rows,
          static_cast<void*>(offsets), 1, 0);
    chain.read(&steps.entries, offsets + rows, sizeof(std::int64_t));
  }
  call.c->entries = steps.entries;
  return chain.status();
}

SparseStatus take_product(const SparseProductCall& call) {
  if (const SparseStatus wrong = check_steps(call); wrong != SparseStatus::success) return wrong;
  const SparseProductSteps& steps = *call.steps;
  if (steps.entries < 0) return SparseStatus::invalid_value;
  if (call.a->rows == 0) return SparseStatus::success;
  return with_computed(call.c->data, [&](auto number) {
    using Wide = decltype(number);
    LaunchChain chain(*call.handle);
    chain("sparse_product", kernel_name("take_products", {call.c->data}), warps_over(call.a->rows), rows_of(*call.c),
          static_cast<long long>(call.a->rows), static_cast<const long long*>(steps.starts),
          static_cast<const long long*>(steps.offsets), static_cast<const int*>(steps.columns),
          static_cast<const void*>(steps.sums), scalar_of<Wide>(*call.handle, call.alpha, call.computed),
          scalar_of<Wide>(*call.handle, call.beta, call.computed));
    return chain.status();
  });
}

}  // namespace

extern "C" {

SparseStatus cusparseSpGEMM_createDescr(SparseProductSteps** steps) {
  if (steps == nullptr) return SparseStatus::invalid_value;
  *steps = std::make_unique<SparseProductSteps>().release();
  return SparseStatus::success;
}
SparseStatus cusparseSpGEMM_destroyDescr(SparseProductSteps* steps) {
  const std::unique_ptr<SparseProductSteps> owned(steps);
  return SparseStatus::success;
}

SparseStatus cusparseSpGEMM_workEstimation(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha,
                                           const SparseMatrix* a, const SparseMatrix* b, const void* beta,
                                           SparseMatrix* c, SparseData computed, int, SparseProductSteps* steps,
                                           std::size_t* bytes, void* buffer) {
  constexpr const char* name = "cusparseSpGEMM_workEstimation";
  return guarded<SparseStatus>(name, SparseStatus::internal_error, [&] {
    return estimate_work({name, handle, op_a, op_b, alpha, a, b, beta, c, computed, steps}, bytes, buffer);
  });
}

SparseStatus cusparseSpGEMM_getNumProducts(SparseProductSteps* steps, std::int64_t* products) {
  if (steps == nullptr || products == nullptr || steps->products < 0) return SparseStatus::invalid_value;
  *products = steps->products;
  return SparseStatus::success;
}

SparseStatus cusparseSpGEMM_compute(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha,
                                    const SparseMatrix* a, const SparseMatrix* b, const void* beta, SparseMatrix* c,
                                    SparseData computed, int, SparseProductSteps* steps, std::size_t* bytes,
                                    void* buffer) {
  constexpr const char* name = "cusparseSpGEMM_compute";
  return guarded<SparseStatus>(name, SparseStatus::internal_error, [&] {
    return compute_product({name, handle, op_a, op_b, alpha, a, b, beta, c, computed, steps}, bytes, buffer);
  });
}

SparseStatus cusparseSpGEMM_copy(SparseHandle* handle, SparseOp op_a, SparseOp op_b, const void* alpha,
                                 const SparseMatrix* a, const SparseMatrix* b, const void* beta, SparseMatrix* c,
                                 SparseData computed, int, SparseProductSteps* steps) {
  constexpr const char* name = "cusparseSpGEMM_copy";
  return guarded<SparseStatus>(name, SparseStatus::internal_error, [&] {
    return take_product({name, handle, op_a, op_b, alpha, a, b, beta, c, computed, steps});
  });
}

}  // extern "C"

}  // namespace warpwalk::simulated::libraries
