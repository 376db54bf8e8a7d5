// cuSPARSE: products with sparse matrices, against sums in double precision.
#include "called_library.h"
#include "sparse_on_device.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::sparse {
namespace {

struct ProductCase {
  DataType type;
  Format format = csr;
  Op op_a = plain, op_b = plain;
  Order order_b = by_rows, order_c = by_rows;
  bool wide = false;
  int base = 0;
  long long columns = 5;
  bool zero_beta = false;
};

double error_of(const ProductCase& of) {
  const Handle handle;
  const Matrix a = random_matrix(9, 7, of.type, 0.4, 1);
  const Matrix op_a = with_op(a, of.op_a);
  const Matrix op_b = random_matrix(op_a.columns, of.columns, of.type, 1, 2),
               b = with_op(op_b, of.op_b == conjugated ? conjugated : of.op_b);
  Matrix c = random_matrix(op_a.rows, of.columns, of.type, 1, 3);
  const Number alpha = rounded({0.75, 0.5}, of.type), beta = of.zero_beta ? 0 : rounded({-0.5, 0.25}, of.type);
  const Matrix wanted = combined(alpha, product(op_a, op_b), beta, c);
  if (of.zero_beta) c.values[0] = NAN;
  const SparseOnDevice sparse(a, of.type, of.format, of.wide, of.base);
  const DenseOnDevice right(b, of.type, of.order_b, 2), result(c, of.type, of.order_c, 1);
  // Halves are computed with in single precision.
  const DataType computed = of.type == r16 || of.type == r16b ? r32 : of.type;
  const auto alpha_bytes = stored({alpha}, computed), beta_bytes = stored({beta}, computed);
  const auto *const alpha_at = static_cast<const void*>(alpha_bytes.data()), *const beta_at = static_cast<const void*>(
                                                                                 beta_bytes.data());
  std::size_t bytes = 0;
  EXPECT_EQ(cusparse().call("cusparseSpMM_bufferSize", static_cast<void*>(handle), static_cast<int>(of.op_a),
                            static_cast<int>(of.op_b), alpha_at, sparse.descr, right.descr, beta_at, result.descr,
                            static_cast<int>(computed), 0, &bytes),
            success);
  const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
  EXPECT_EQ(cusparse().call("cusparseSpMM", static_cast<void*>(handle), static_cast<int>(of.op_a),
                            static_cast<int>(of.op_b), alpha_at, sparse.descr, right.descr, beta_at, result.descr,
                            static_cast<int>(computed), 0, static_cast<void*>(buffer.get())),
            success);
  return difference(result.values(), wanted);
}

TEST(Cusparse, multiplies_by_dense_matrices) {
  for (const DataType type : {r32, r64, c32, c64, r16, r16b}) {
    SCOPED_TRACE(static_cast<int>(type));
    EXPECT_LE(error_of({type}), tolerance(type));
    EXPECT_LE(error_of({type, csr, plain, transposed, by_columns, by_rows, true}), tolerance(type));
    EXPECT_LE(error_of({type, csr, transposed}), tolerance(type));
  }
  for (const Format format : {csr, csc, coo})
    for (const Op op : {plain, transposed, conjugated}) {
      SCOPED_TRACE(static_cast<int>(format) * 10 + static_cast<int>(op));
      EXPECT_LE(error_of({c64, format, op, plain, by_columns, by_columns, false, 1}), tolerance(c64));
      EXPECT_LE(error_of({r32, format, op, transposed, by_rows, by_columns, true, 0, 3, true}), tolerance(r32));
    }
  EXPECT_LE(error_of({c32, csr, plain, conjugated}), tolerance(c32));
  EXPECT_LE(error_of({r32, csr, plain, plain, by_rows, by_rows, false, 0, 1}), tolerance(r32));
}

TEST(Cusparse, multiplies_batches) {
  const Handle handle;
  const Matrix a = random_matrix(4, 6, r32, 0.5, 1);
  const SparseOnDevice sparse(a, r32, csr);
  const Matrix b = random_matrix(12, 3, r32, 1, 2);  // two matrices, one below the other
  const DenseOnDevice right(b, r32, by_rows), result(Matrix(8, 3), r32, by_rows);
  void *b_descr = nullptr, *c_descr = nullptr;
  cusparse().call("cusparseCreateDnMat", &b_descr, std::int64_t{6}, std::int64_t{3}, std::int64_t{3},
                  static_cast<void*>(right.memory.get()), 0, 2);
  cusparse().call("cusparseCreateDnMat", &c_descr, std::int64_t{4}, std::int64_t{3}, std::int64_t{3},
                  static_cast<void*>(result.memory.get()), 0, 2);
  EXPECT_EQ(cusparse().call("cusparseDnMatSetStridedBatch", b_descr, 2, std::int64_t{18}), success);
  EXPECT_EQ(cusparse().call("cusparseDnMatSetStridedBatch", c_descr, 2, std::int64_t{12}), success);
  EXPECT_EQ(cusparse().call("cusparseCsrSetStridedBatch", sparse.descr, 2, std::int64_t{0}, std::int64_t{0}), success);
  const float one = 1, zero = 0;
  EXPECT_EQ(
      cusparse().call("cusparseSpMM", static_cast<void*>(handle), 0, 0, static_cast<const void*>(&one), sparse.descr,
                      b_descr, static_cast<const void*>(&zero), c_descr, 0, 0, static_cast<void*>(nullptr)),
      success);
  Matrix both(8, 12);
  for (long long r = 0; r < 8; ++r)
    for (long long c = 0; c < 6; ++c) both.at(r, r / 4 * 6 + c) = a.at(r % 4, c);
  EXPECT_LE(difference(result.values(), product(both, b)), tolerance(r32));
  cusparse().call("cusparseDestroyDnMat", b_descr);
  cusparse().call("cusparseDestroyDnMat", c_descr);
}

TEST(Cusparse, multiplies_vectors) {
  const Handle handle;
  for (const DataType type : {r32, r64, c32, c64, r16, r16b})
    for (const Op op : {plain, transposed}) {
      SCOPED_TRACE(static_cast<int>(type) * 10 + static_cast<int>(op));
      const Matrix a = random_matrix(70, 41, type, 0.5, 5), op_a = with_op(a, op);
      const Matrix x = random_matrix(op_a.columns, 1, type, 1, 6), y = random_matrix(op_a.rows, 1, type, 1, 7);
      const SparseOnDevice sparse(a, type, csr);
      const DenseOnDevice x_memory(x, type, by_rows), y_memory(y, type, by_rows);
      void *x_descr = nullptr, *y_descr = nullptr;
      cusparse().call("cusparseCreateDnVec", &x_descr, static_cast<std::int64_t>(x.rows),
                      static_cast<void*>(x_memory.memory.get()), static_cast<int>(type));
      cusparse().call("cusparseCreateDnVec", &y_descr, static_cast<std::int64_t>(y.rows),
                      static_cast<void*>(y_memory.memory.get()), static_cast<int>(type));
      // Halves are computed with in single precision.
      const DataType computed = type == r16 || type == r16b ? r32 : type;
      const auto alpha = stored({0.5}, computed), beta = stored({2}, computed);
      std::size_t bytes = 0;
      EXPECT_EQ(cusparse().call("cusparseSpMV_bufferSize", static_cast<void*>(handle), static_cast<int>(op),
                                static_cast<const void*>(alpha.data()), sparse.descr, x_descr,
                                static_cast<const void*>(beta.data()), y_descr, static_cast<int>(computed), 0, &bytes),
                success);
      const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
      EXPECT_EQ(cusparse().call("cusparseSpMV", static_cast<void*>(handle), static_cast<int>(op),
                                static_cast<const void*>(alpha.data()), sparse.descr, x_descr,
                                static_cast<const void*>(beta.data()), y_descr, static_cast<int>(computed), 0,
                                static_cast<void*>(buffer.get())),
                success);
      EXPECT_LE(difference(y_memory.values(), combined(0.5, product(op_a, x), 2, y)), 8 * tolerance(type));
      cusparse().call("cusparseDestroyDnVec", x_descr);
      cusparse().call("cusparseDestroyDnVec", y_descr);
    }
}

TEST(Cusparse, samples_products) {
  const Handle handle;
  for (const DataType type : {r32, r64, c32, c64})
    for (const Op op : {plain, transposed}) {
      SCOPED_TRACE(static_cast<int>(type) * 10 + static_cast<int>(op));
      const Matrix a = random_matrix(6, 5, type, 1, 1), b = random_matrix(5, 40, type, 1, 2);
      const Matrix c = random_matrix(6, 40, type, 0.5, 3);
      const DenseOnDevice left(with_op(a, op), type, by_rows, 1), right(b, type, by_columns);
      const SparseOnDevice sampled(c, type, csr);
      const auto alpha = stored({0.5}, type), beta = stored({2}, type);
      std::size_t bytes = 0;
      EXPECT_EQ(
          cusparse().call("cusparseSDDMM_bufferSize", static_cast<void*>(handle), static_cast<int>(op), 0,
                          static_cast<const void*>(alpha.data()), left.descr, right.descr,
                          static_cast<const void*>(beta.data()), sampled.descr, static_cast<int>(type), 0, &bytes),
          success);
      const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
      for (const char* const function : {"cusparseSDDMM_preprocess", "cusparseSDDMM"})
        EXPECT_EQ(cusparse().call(function, static_cast<void*>(handle), static_cast<int>(op), 0,
                                  static_cast<const void*>(alpha.data()), left.descr, right.descr,
                                  static_cast<const void*>(beta.data()), sampled.descr, static_cast<int>(type), 0,
                                  static_cast<void*>(buffer.get())),
                  success);
      const Matrix whole = combined(0.5, product(a, b), 2, c);
      const auto got = loaded(sampled.values.values(), type);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_LE(std::abs(got[i] - whole.at(sampled.arrays.rows[i], sampled.arrays.columns[i])), tolerance(type));
    }
}

TEST(Cusparse, multiplies_sparse_matrices) {
  const Handle handle;
  for (const DataType type : {r32, r64, c32, c64}) {
    SCOPED_TRACE(static_cast<int>(type));
    Matrix a = random_matrix(8, 12, type, 0.4, 1);
    for (long long c = 0; c < 12; ++c) a.at(3, c) = 0;
    const Matrix b = random_matrix(12, 50, type, 0.3, 2);
    const SparseOnDevice left(a, type, csr), right(b, type, csr), result(Matrix(8, 50), type, csr);
    const auto alpha = stored({0.5}, type), beta = stored({0}, type);
    void* steps = nullptr;
    ASSERT_EQ(cusparse().call("cusparseSpGEMM_createDescr", &steps), success);
    const auto step = [&](const char* function, std::size_t* bytes, void* buffer) {
      return cusparse().call(function, static_cast<void*>(handle), 0, 0, static_cast<const void*>(alpha.data()),
                             left.descr, right.descr, static_cast<const void*>(beta.data()), result.descr,
                             static_cast<int>(type), 0, steps, bytes, buffer);
    };
    std::size_t first_bytes = 0, second_bytes = 0;
    ASSERT_EQ(step("cusparseSpGEMM_workEstimation", &first_bytes, nullptr), success);
    const OnDevice<std::uint8_t> first((std::vector<std::uint8_t>(first_bytes)));
    ASSERT_EQ(step("cusparseSpGEMM_workEstimation", &first_bytes, first.get()), success);
    ASSERT_EQ(step("cusparseSpGEMM_compute", &second_bytes, nullptr), success);
    const OnDevice<std::uint8_t> second((std::vector<std::uint8_t>(second_bytes)));
    ASSERT_EQ(step("cusparseSpGEMM_compute", &second_bytes, second.get()), success);
    std::int64_t rows = 0, columns = 0, entries = 0;
    ASSERT_EQ(cusparse().call("cusparseSpMatGetSize", result.descr, &rows, &columns, &entries), success);
    const Matrix wanted = combined(0.5, product(a, b), 0, Matrix(8, 50));
    const SparseArrays wanted_arrays(wanted);
    ASSERT_EQ(entries, static_cast<std::int64_t>(wanted_arrays.values.size()));
    const OnDevice<int> indices(std::vector<int>(static_cast<std::size_t>(entries)));
    const OnDevice<std::uint8_t> values(std::vector<std::uint8_t>(static_cast<std::size_t>(entries) * bytes_of(type)));
    ASSERT_EQ(cusparse().call("cusparseCsrSetPointers", result.descr, static_cast<void*>(result.offsets.get()),
                              static_cast<void*>(indices.get()), static_cast<void*>(values.get())),
              success);
    ASSERT_EQ(cusparse().call("cusparseSpGEMM_copy", static_cast<void*>(handle), 0, 0,
                              static_cast<const void*>(alpha.data()), left.descr, right.descr,
                              static_cast<const void*>(beta.data()), result.descr, static_cast<int>(type), 0, steps),
              success);
    EXPECT_EQ(result.offsets.values(), index_bytes(wanted_arrays.offsets, false));
    EXPECT_EQ(indices.values(), wanted_arrays.columns);
    const auto got = loaded(values.values(), type);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LE(std::abs(got[i] - wanted_arrays.values[i]), tolerance(type));
    EXPECT_EQ(cusparse().call("cusparseSpGEMM_destroyDescr", steps), success);
  }
}

TEST(Cusparse, takes_scalars_in_device_memory) {
  const Handle handle;
  EXPECT_EQ(cusparse().call("cusparseSetPointerMode", static_cast<void*>(handle), 1), success);
  const Matrix a = random_matrix(6, 5, c32, 0.5, 1), b = random_matrix(5, 4, c32, 1, 2);
  const SparseOnDevice sparse(a, c32, csr);
  const DenseOnDevice right(b, c32, by_rows), result(Matrix(6, 4), c32, by_rows);
  const OnDevice<std::uint8_t> alpha(stored({{2, 1}}, c32)), beta(stored({0}, c32));
  EXPECT_EQ(cusparse().call("cusparseSpMM", static_cast<void*>(handle), 0, 0, static_cast<void*>(alpha.get()),
                            sparse.descr, right.descr, static_cast<void*>(beta.get()), result.descr,
                            static_cast<int>(c32), 0, static_cast<void*>(nullptr)),
            success);
  EXPECT_LE(difference(result.values(), combined({2, 1}, product(a, b), 0, b)), tolerance(c32));
}

}  // namespace
}  // namespace warpwalk::libraries_test::stored::sparse
