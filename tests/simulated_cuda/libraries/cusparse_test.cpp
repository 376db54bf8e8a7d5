// cuSPARSE: the functions that PyTorch calls, against sums in double precision.
#include <algorithm>
#include <array>
#include <complex>
#include <numeric>
#include <string>

#include "called_library.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::sparse {
namespace {

using Number = std::complex<double>;

enum Status : int { success = 0, not_initialized = 1, invalid_value = 3, zero_pivot = 9 };
enum Op : int { plain = 0, transposed = 1, conjugated = 2 };
enum Format : int { csr = 1, csc = 2, coo = 3 };
enum Order : int { by_columns = 1, by_rows = 2 };
enum Direction : int { rows_first = 0, columns_first = 1 };

const CalledLibrary& cusparse() {
  static const CalledLibrary& library = *new CalledLibrary{"libcusparse.so.12"};
  return library;
}

/// A handle of the library.
class Handle {
 public:
  Handle() { EXPECT_EQ(cusparse().call("cusparseCreate", &at_), success); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { EXPECT_EQ(cusparse().call("cusparseDestroy", at_), success); }
  operator void*() const { return at_; }

 private:
  void* at_ = nullptr;
};

/// A matrix with zeros, or a dense one.
struct Matrix {
  long long rows, columns;
  std::vector<Number> values;
  Matrix(long long r, long long c) : rows(r), columns(c), values(static_cast<std::size_t>(r * c)) {}
  Number& at(long long r, long long c) { return values[static_cast<std::size_t>(r * columns + c)]; }
  Number at(long long r, long long c) const { return values[static_cast<std::size_t>(r * columns + c)]; }
};

Number rounded(Number value, DataType type) {
  std::array<std::uint8_t, 8> bytes{};
  put(bytes.data(), type, value.real());
  const double re = get(bytes.data(), type);
  put(bytes.data(), type, value.imag());
  return {re, is_complex(type) ? get(bytes.data(), type) : 0};
}

/// A matrix of which about `density` of the elements are not zero.
Matrix random_matrix(long long rows, long long columns, DataType type, double density, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  Noise noise(seed), chance(seed + 99);
  for (Number& value : matrix.values) {
    const double re = noise.next(), im = noise.next();
    if (chance.next() < 2 * density - 1) value = rounded({re, im}, type);
  }
  return matrix;
}

Matrix with_op(const Matrix& a, Op op) {
  if (op == plain) return a;
  Matrix result(a.columns, a.rows);
  for (long long r = 0; r < a.rows; ++r)
    for (long long c = 0; c < a.columns; ++c) result.at(c, r) = op == conjugated ? std::conj(a.at(r, c)) : a.at(r, c);
  return result;
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows, b.columns);
  for (long long r = 0; r < a.rows; ++r)
    for (long long c = 0; c < b.columns; ++c)
      for (long long k = 0; k < a.columns; ++k) result.at(r, c) += a.at(r, k) * b.at(k, c);
  return result;
}

std::size_t bytes_of(DataType type) { return bytes_of_part(type) * (is_complex(type) ? 2 : 1); }

std::vector<std::uint8_t> stored(const std::vector<Number>& values, DataType type) {
  std::vector<std::uint8_t> bytes(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    put(&bytes[i * bytes_of(type)], type, values[i].real());
    if (is_complex(type)) put(&bytes[i * bytes_of(type) + bytes_of_part(type)], type, values[i].imag());
  }
  return bytes;
}

std::vector<Number> loaded(const std::vector<std::uint8_t>& bytes, DataType type) {
  std::vector<Number> values(bytes.size() / bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = {get(&bytes[i * bytes_of(type)], type),
                 is_complex(type) ? get(&bytes[i * bytes_of(type) + bytes_of_part(type)], type) : 0};
  return values;
}

/// A dense matrix in memory; gaps between its rows or columns are 7.
struct DenseOnDevice {
  long long rows, columns, leading;
  DataType type;
  Order order;
  OnDevice<std::uint8_t> memory;
  void* descr = nullptr;

  static std::vector<Number> arranged(const Matrix& of, Order order, long long leading) {
    std::vector<Number> values(static_cast<std::size_t>(leading * (order == by_rows ? of.rows : of.columns)), 7);
    for (long long r = 0; r < of.rows; ++r)
      for (long long c = 0; c < of.columns; ++c)
        values[static_cast<std::size_t>(order == by_rows ? r * leading + c : c * leading + r)] = of.at(r, c);
    return values;
  }
  DenseOnDevice(const Matrix& of, DataType with_type, Order with_order, long long gap = 0)
      : rows(of.rows),
        columns(of.columns),
        leading((with_order == by_rows ? of.columns : of.rows) + gap),
        type(with_type),
        order(with_order),
        memory(stored(arranged(of, order, leading), type)) {
    EXPECT_EQ(cusparse().call("cusparseCreateDnMat", &descr, static_cast<std::int64_t>(rows),
                              static_cast<std::int64_t>(columns), static_cast<std::int64_t>(leading),
                              static_cast<void*>(memory.get()), static_cast<int>(type), static_cast<int>(order)),
              success);
  }
  ~DenseOnDevice() { EXPECT_EQ(cusparse().call("cusparseDestroyDnMat", descr), success); }
  Matrix values() const {
    const std::vector<Number> all = loaded(memory.values(), type);
    Matrix result(rows, columns);
    for (long long r = 0; r < rows; ++r)
      for (long long c = 0; c < columns; ++c)
        result.at(r, c) = all[static_cast<std::size_t>(order == by_rows ? r * leading + c : c * leading + r)];
    return result;
  }
};

/// The arrays of a sparse matrix.
struct SparseArrays {
  std::vector<int> offsets, rows, columns;
  std::vector<Number> values;
  SparseArrays(const Matrix& of, int base = 0) {
    for (long long r = 0; r < of.rows; ++r) {
      offsets.push_back(static_cast<int>(values.size()) + base);
      for (long long c = 0; c < of.columns; ++c)
        if (of.at(r, c) != Number{}) {
          rows.push_back(static_cast<int>(r) + base), columns.push_back(static_cast<int>(c) + base);
          values.push_back(of.at(r, c));
        }
    }
    offsets.push_back(static_cast<int>(values.size()) + base);
  }
};

std::vector<std::uint8_t> index_bytes(const std::vector<int>& indices, bool wide) {
  std::vector<std::uint8_t> bytes;
  for (const int index : indices) {
    const std::int64_t value = index;
    const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + (wide ? 8 : 4));
  }
  return bytes;
}

struct SparseOnDevice {
  SparseArrays arrays;
  DataType type;
  OnDevice<std::uint8_t> offsets, indices, values;
  void* descr = nullptr;

  SparseOnDevice(const Matrix& of, DataType with_type, Format format, bool wide = false, int base = 0)
      : arrays(format == csc ? with_op(of, transposed) : of, base),
        type(with_type),
        offsets(index_bytes(format == coo ? arrays.rows : arrays.offsets, wide)),
        indices(index_bytes(arrays.columns, wide)),
        values(stored(arrays.values, type)) {
    const auto entries = static_cast<std::int64_t>(arrays.values.size());
    const auto rows = static_cast<std::int64_t>(of.rows), columns = static_cast<std::int64_t>(of.columns);
    const int index_type = wide ? 3 : 2;
    void *const first = offsets.get(), *const second = indices.get(), *const third = values.get();
    if (format == coo)
      EXPECT_EQ(cusparse().call("cusparseCreateCoo", &descr, rows, columns, entries, first, second, third, index_type,
                                base, static_cast<int>(type)),
                success);
    else
      EXPECT_EQ(cusparse().call(format == csr ? "cusparseCreateCsr" : "cusparseCreateCsc", &descr, rows, columns,
                                entries, first, second, third, index_type, index_type, base, static_cast<int>(type)),
                success);
  }
  ~SparseOnDevice() { EXPECT_EQ(cusparse().call("cusparseDestroySpMat", descr), success); }
};

double difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double apart = std::abs(a.values[i] - b.values[i]);
    worst = apart <= worst ? worst : apart;  // also NaN
  }
  return worst;
}

Matrix combined(Number alpha, const Matrix& a, Number beta, const Matrix& b) {
  Matrix result(a.rows, a.columns);
  for (std::size_t i = 0; i < a.values.size(); ++i)
    result.values[i] = alpha * a.values[i] + (beta == Number{} ? Number{} : beta * b.values[i]);
  return result;
}

double tolerance(DataType type) {
  switch (type) {
    case r64:
    case c64: return 1e-13;
    case r16: return 2e-2;
    case r16b: return 1e-1;
    default: return 5e-6;
  }
}

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
  const auto alpha_bytes = stored({alpha}, of.type), beta_bytes = stored({beta}, of.type);
  const auto *const alpha_at = static_cast<const void*>(alpha_bytes.data()), *const beta_at = static_cast<const void*>(
                                                                                 beta_bytes.data());
  std::size_t bytes = 0;
  EXPECT_EQ(cusparse().call("cusparseSpMM_bufferSize", static_cast<void*>(handle), static_cast<int>(of.op_a),
                            static_cast<int>(of.op_b), alpha_at, sparse.descr, right.descr, beta_at, result.descr,
                            static_cast<int>(of.type), 0, &bytes),
            success);
  const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
  EXPECT_EQ(cusparse().call("cusparseSpMM", static_cast<void*>(handle), static_cast<int>(of.op_a),
                            static_cast<int>(of.op_b), alpha_at, sparse.descr, right.descr, beta_at, result.descr,
                            static_cast<int>(of.type), 0, static_cast<void*>(buffer.get())),
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

/// A triangle with a dominant diagonal, and elements in the other triangle, which do not count.
Matrix system_matrix(long long rows, DataType type) {
  Matrix a = random_matrix(rows, rows, type, 0.6, 4);
  for (long long i = 0; i < rows; ++i) a.at(i, i) = rounded({3.0 + static_cast<double>(i % 3), 0.5}, type);
  return a;
}
Matrix triangle_of(Matrix a, bool upper, bool unit) {
  for (long long r = 0; r < a.rows; ++r)
    for (long long c = 0; c < a.columns; ++c) {
      if (upper ? c < r : c > r) a.at(r, c) = 0;
      if (unit && r == c) a.at(r, c) = 1;
    }
  return a;
}

TEST(Cusparse, solves_triangular_systems) {
  const Handle handle;
  for (const DataType type : {r32, r64, c32, c64})
    for (const Op op : {plain, transposed, conjugated})
      for (int kind = 0; kind < 4; ++kind) {
        const int upper = kind % 2, unit = kind / 2;
        SCOPED_TRACE(static_cast<int>(type) * 100 + static_cast<int>(op) * 10 + kind);
        const long long rows = 40;
        // Small elements keep systems with a unit diagonal well conditioned.
        Matrix a = system_matrix(rows, type);
        for (long long r = 0; r < rows; ++r)
          for (long long c = 0; c < rows; ++c)
            if (r != c) a.at(r, c) = rounded(a.at(r, c) * 0.125, type);
        const Matrix triangle = with_op(triangle_of(a, upper == 1, unit == 1), op);
        const Matrix b = random_matrix(rows, 3, type, 1, 9);
        const SparseOnDevice sparse(a, type, csr, type == r32);
        EXPECT_EQ(cusparse().call("cusparseSpMatSetAttribute", sparse.descr, 0, &upper, sizeof upper), success);
        EXPECT_EQ(cusparse().call("cusparseSpMatSetAttribute", sparse.descr, 1, &unit, sizeof unit), success);
        const DenseOnDevice right(b, type, by_rows), solution(Matrix(rows, 3), type, by_rows);
        const auto alpha = stored({2}, type);
        void* steps = nullptr;
        std::size_t bytes = 0;
        ASSERT_EQ(cusparse().call("cusparseSpSM_createDescr", &steps), success);
        EXPECT_EQ(cusparse().call("cusparseSpSM_bufferSize", static_cast<void*>(handle), static_cast<int>(op), 0,
                                  static_cast<const void*>(alpha.data()), sparse.descr, right.descr, solution.descr,
                                  static_cast<int>(type), 0, steps, &bytes),
                  success);
        const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
        EXPECT_EQ(cusparse().call("cusparseSpSM_analysis", static_cast<void*>(handle), static_cast<int>(op), 0,
                                  static_cast<const void*>(alpha.data()), sparse.descr, right.descr, solution.descr,
                                  static_cast<int>(type), 0, steps, static_cast<void*>(buffer.get())),
                  success);
        EXPECT_EQ(cusparse().call("cusparseSpSM_solve", static_cast<void*>(handle), static_cast<int>(op), 0,
                                  static_cast<const void*>(alpha.data()), sparse.descr, right.descr, solution.descr,
                                  static_cast<int>(type), 0, steps),
                  success);
        EXPECT_LE(difference(product(triangle, solution.values()), combined(2, b, 0, b)), 10 * tolerance(type));
        EXPECT_EQ(cusparse().call("cusparseSpSM_destroyDescr", steps), success);

        // One right-hand side as a vector.
        const Matrix single = random_matrix(rows, 1, type, 1, 10);
        const DenseOnDevice x_memory(single, type, by_rows), y_memory(Matrix(rows, 1), type, by_rows);
        void *x = nullptr, *y = nullptr;
        cusparse().call("cusparseCreateDnVec", &x, std::int64_t{rows}, static_cast<void*>(x_memory.memory.get()),
                        static_cast<int>(type));
        cusparse().call("cusparseCreateDnVec", &y, std::int64_t{rows}, static_cast<void*>(y_memory.memory.get()),
                        static_cast<int>(type));
        ASSERT_EQ(cusparse().call("cusparseSpSV_createDescr", &steps), success);
        EXPECT_EQ(cusparse().call("cusparseSpSV_bufferSize", static_cast<void*>(handle), static_cast<int>(op),
                                  static_cast<const void*>(alpha.data()), sparse.descr, x, y, static_cast<int>(type), 0,
                                  steps, &bytes),
                  success);
        const OnDevice<std::uint8_t> vector_buffer((std::vector<std::uint8_t>(bytes)));
        EXPECT_EQ(cusparse().call("cusparseSpSV_analysis", static_cast<void*>(handle), static_cast<int>(op),
                                  static_cast<const void*>(alpha.data()), sparse.descr, x, y, static_cast<int>(type), 0,
                                  steps, static_cast<void*>(vector_buffer.get())),
                  success);
        EXPECT_EQ(cusparse().call("cusparseSpSV_solve", static_cast<void*>(handle), static_cast<int>(op),
                                  static_cast<const void*>(alpha.data()), sparse.descr, x, y, static_cast<int>(type), 0,
                                  steps),
                  success);
        EXPECT_LE(difference(product(triangle, y_memory.values()), combined(2, single, 0, single)),
                  10 * tolerance(type));
        EXPECT_EQ(cusparse().call("cusparseSpSV_destroyDescr", steps), success);
        cusparse().call("cusparseDestroyDnVec", x);
        cusparse().call("cusparseDestroyDnVec", y);
      }
}

TEST(Cusparse, sorts_and_compresses_indices) {
  const Handle handle;
  const int count = 300, rows = 40, columns = 50;
  std::vector<int> row(count), column(count), order(count);
  Noise noise(4);
  std::vector<int> cells(rows * columns);
  std::iota(cells.begin(), cells.end(), 0);
  for (int i = 0; i < count; ++i) {
    // No cell twice: the order of equal entries is not specified.
    const int other = i + static_cast<int>((noise.next() + 1) / 2 * (rows * columns - i - 1));
    std::swap(cells[static_cast<std::size_t>(i)], cells[static_cast<std::size_t>(other)]);
    row[static_cast<std::size_t>(i)] = cells[static_cast<std::size_t>(i)] / columns;
    column[static_cast<std::size_t>(i)] = cells[static_cast<std::size_t>(i)] % columns;
  }
  const OnDevice<int> device_rows(row), device_columns(column), permutation(std::vector<int>(count, -1));
  EXPECT_EQ(cusparse().call("cusparseCreateIdentityPermutation", static_cast<void*>(handle), count, permutation.get()),
            success);
  std::size_t bytes = 0;
  EXPECT_EQ(cusparse().call("cusparseXcoosort_bufferSizeExt", static_cast<void*>(handle), rows, columns, count,
                            device_rows.get(), device_columns.get(), &bytes),
            success);
  const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
  EXPECT_EQ(
      cusparse().call("cusparseXcoosortByRow", static_cast<void*>(handle), rows, columns, count, device_rows.get(),
                      device_columns.get(), permutation.get(), static_cast<void*>(buffer.get())),
      success);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int i) { return cells[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(permutation.values(), order);
  std::vector<int> sorted_rows, sorted_columns;
  for (const int i : order) {
    sorted_rows.push_back(row[static_cast<std::size_t>(i)]);
    sorted_columns.push_back(column[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(device_rows.values(), sorted_rows);
  EXPECT_EQ(device_columns.values(), sorted_columns);

  const OnDevice<int> offsets(std::vector<int>(rows + 1));
  EXPECT_EQ(
      cusparse().call("cusparseXcoo2csr", static_cast<void*>(handle), device_rows.get(), count, rows, offsets.get(), 0),
      success);
  std::vector<int> wanted;
  for (int r = 0; r <= rows; ++r)
    wanted.push_back(static_cast<int>(std::ranges::lower_bound(sorted_rows, r) - sorted_rows.begin()));
  EXPECT_EQ(offsets.values(), wanted);

  // The columns of each row in descending order, sorted again.
  std::vector<int> descending = sorted_columns;
  for (int r = 0; r < rows; ++r)
    std::reverse(descending.begin() + wanted[static_cast<std::size_t>(r)],
                 descending.begin() + wanted[static_cast<std::size_t>(r) + 1]);
  const OnDevice<int> unsorted(descending);
  EXPECT_EQ(cusparse().call("cusparseCreateIdentityPermutation", static_cast<void*>(handle), count, permutation.get()),
            success);
  EXPECT_EQ(cusparse().call("cusparseXcsrsort_bufferSizeExt", static_cast<void*>(handle), rows, columns, count,
                            offsets.get(), unsorted.get(), &bytes),
            success);
  const OnDevice<std::uint8_t> second((std::vector<std::uint8_t>(bytes)));
  void* descr = nullptr;
  EXPECT_EQ(cusparse().call("cusparseCreateMatDescr", &descr), success);
  EXPECT_EQ(cusparse().call("cusparseXcsrsort", static_cast<void*>(handle), rows, columns, count, descr, offsets.get(),
                            unsorted.get(), permutation.get(), static_cast<void*>(second.get())),
            success);
  EXPECT_EQ(unsorted.values(), sorted_columns);
  const auto moved = permutation.values();
  for (std::size_t i = 0; i < moved.size(); ++i)
    EXPECT_EQ(descending[static_cast<std::size_t>(moved[i])], sorted_columns[i]);
  EXPECT_EQ(cusparse().call("cusparseDestroyMatDescr", descr), success);
}

TEST(Cusparse, adds_sparse_matrices) {
  const Handle handle;
  void* descr = nullptr;
  ASSERT_EQ(cusparse().call("cusparseCreateMatDescr", &descr), success);
  for (const auto& [letter, type] : {std::pair{'S', r32}, {'D', r64}, {'C', c32}, {'Z', c64}}) {
    const auto name = [letter = letter](const std::string& rest) { return std::string("cusparse") + letter + rest; };
    SCOPED_TRACE(name("csrgeam2"));
    const int rows = 300, columns = 11;
    const Matrix a = random_matrix(rows, columns, type, 0.3, 1), b = random_matrix(rows, columns, type, 0.3, 2);
    const SparseOnDevice left(a, type, csr), right(b, type, csr);
    const auto alpha = stored({0.5}, type), beta = stored({2}, type);
    const OnDevice<int> offsets(std::vector<int>(rows + 1));
    std::size_t bytes = 0;
    const auto alpha_at = static_cast<const void*>(alpha.data()), beta_at = static_cast<const void*>(beta.data());
    const int a_count = static_cast<int>(left.arrays.values.size()),
              b_count = static_cast<int>(right.arrays.values.size());
    void* const none = nullptr;
    EXPECT_EQ(cusparse().call(name("csrgeam2_bufferSizeExt").c_str(), static_cast<void*>(handle), rows, columns,
                              alpha_at, descr, a_count, left.values.get(), left.offsets.get(), left.indices.get(),
                              beta_at, descr, b_count, right.values.get(), right.offsets.get(), right.indices.get(),
                              descr, none, offsets.get(), none, &bytes),
              success);
    const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
    int count = -1;
    EXPECT_EQ(cusparse().call("cusparseXcsrgeam2Nnz", static_cast<void*>(handle), rows, columns, descr, a_count,
                              left.offsets.get(), left.indices.get(), descr, b_count, right.offsets.get(),
                              right.indices.get(), descr, offsets.get(), &count, buffer.get()),
              success);
    const SparseArrays wanted(combined(0.5, a, 2, b));
    ASSERT_EQ(count, static_cast<int>(wanted.values.size()));
    const OnDevice<int> indices(std::vector<int>(static_cast<std::size_t>(count)));
    const OnDevice<std::uint8_t> values(std::vector<std::uint8_t>(static_cast<std::size_t>(count) * bytes_of(type)));
    EXPECT_EQ(cusparse().call(name("csrgeam2").c_str(), static_cast<void*>(handle), rows, columns, alpha_at, descr,
                              a_count, left.values.get(), left.offsets.get(), left.indices.get(), beta_at, descr,
                              b_count, right.values.get(), right.offsets.get(), right.indices.get(), descr,
                              values.get(), offsets.get(), indices.get(), buffer.get()),
              success);
    EXPECT_EQ(offsets.values(), wanted.offsets);
    EXPECT_EQ(indices.values(), wanted.columns);
    const auto got = loaded(values.values(), type);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_LE(std::abs(got[i] - wanted.values[i]), tolerance(type));
  }
  EXPECT_EQ(cusparse().call("cusparseDestroyMatDescr", descr), success);
}

/// A matrix in square blocks.
struct BlocksOnDevice {
  std::vector<int> offsets{0}, columns;
  std::vector<Number> values;
  BlocksOnDevice(const Matrix& of, int block, Direction direction) {
    for (long long r = 0; r < of.rows; r += block) {
      for (long long c = 0; c < of.columns; c += block) {
        bool is_empty = true;
        std::vector<Number> elements;
        for (int i = 0; i < block * block; ++i) {
          const int down = direction == rows_first ? i / block : i % block,
                    across = direction == rows_first ? i % block : i / block;
          elements.push_back(of.at(r + down, c + across));
          is_empty = is_empty && elements.back() == Number{};
        }
        if (is_empty) continue;
        columns.push_back(static_cast<int>(c) / block);
        values.insert(values.end(), elements.begin(), elements.end());
      }
      offsets.push_back(static_cast<int>(columns.size()));
    }
  }
};

TEST(Cusparse, multiplies_matrices_of_blocks) {
  const Handle handle;
  void* descr = nullptr;
  ASSERT_EQ(cusparse().call("cusparseCreateMatDescr", &descr), success);
  for (const auto& [letter, type] : {std::pair{'S', r32}, {'D', r64}, {'C', c32}, {'Z', c64}})
    for (const Direction direction : {rows_first, columns_first}) {
      const auto name = [letter = letter](const std::string& rest) { return std::string("cusparse") + letter + rest; };
      SCOPED_TRACE(name("bsrmm"));
      const int block = 3;
      Matrix a = random_matrix(9, 12, type, 0.5, 1);
      for (int i = 0; i < 9; ++i) a.at(3 + i / 3, 6 + i % 3) = 0;  // a block of zeros
      const BlocksOnDevice blocks(a, block, direction);
      const OnDevice<int> offsets(blocks.offsets), columns(blocks.columns);
      const OnDevice<std::uint8_t> values(stored(blocks.values, type));
      const int count = static_cast<int>(blocks.columns.size());
      const auto alpha = stored({0.5}, type), beta = stored({2}, type);
      for (const Op op : {plain, transposed}) {
        const Matrix b = random_matrix(12, 5, type, 1, 2), c = random_matrix(9, 5, type, 1, 3);
        const DenseOnDevice right(with_op(b, op), type, by_columns, 2), result(c, type, by_columns, 1);
        EXPECT_EQ(cusparse().call(name("bsrmm").c_str(), static_cast<void*>(handle), static_cast<int>(direction), 0,
                                  static_cast<int>(op), 3, 5, 4, count, static_cast<const void*>(alpha.data()), descr,
                                  values.get(), offsets.get(), columns.get(), block, right.memory.get(),
                                  static_cast<int>(right.leading), static_cast<const void*>(beta.data()),
                                  result.memory.get(), static_cast<int>(result.leading)),
                  success);
        EXPECT_LE(difference(result.values(), combined(0.5, product(a, b), 2, c)), tolerance(type));
      }
      const Matrix x = random_matrix(12, 1, type, 1, 2), y = random_matrix(9, 1, type, 1, 3);
      const DenseOnDevice x_memory(x, type, by_rows), y_memory(y, type, by_rows);
      EXPECT_EQ(cusparse().call(name("bsrmv").c_str(), static_cast<void*>(handle), static_cast<int>(direction), 0, 3, 4,
                                count, static_cast<const void*>(alpha.data()), descr, values.get(), offsets.get(),
                                columns.get(), block, x_memory.memory.get(), static_cast<const void*>(beta.data()),
                                y_memory.memory.get()),
                success);
      EXPECT_LE(difference(y_memory.values(), combined(0.5, product(a, x), 2, y)), tolerance(type));
    }
  EXPECT_EQ(cusparse().call("cusparseDestroyMatDescr", descr), success);
}

TEST(Cusparse, solves_systems_of_blocks) {
  const Handle handle;
  for (const auto& [letter, type] : {std::pair{'S', r32}, {'D', r64}, {'C', c32}, {'Z', c64}})
    for (int kind = 0; kind < 8; ++kind) {
      const auto name = [letter = letter](const std::string& rest) { return std::string("cusparse") + letter + rest; };
      const int upper = kind % 2, unit = kind / 2 % 2, block = 2, rows = 8;
      const Op op = kind / 4 == 0 ? plain : transposed;
      const Direction direction = kind % 3 == 0 ? columns_first : rows_first;
      SCOPED_TRACE(name("bsrsm2") + std::to_string(kind));
      void *descr = nullptr, *info = nullptr, *vector_info = nullptr;
      ASSERT_EQ(cusparse().call("cusparseCreateMatDescr", &descr), success);
      EXPECT_EQ(cusparse().call("cusparseSetMatFillMode", descr, upper), success);
      EXPECT_EQ(cusparse().call("cusparseSetMatDiagType", descr, unit), success);
      const Matrix a = system_matrix(rows, type), triangle = with_op(triangle_of(a, upper == 1, unit == 1), op);
      const BlocksOnDevice blocks(a, block, direction);
      const OnDevice<int> offsets(blocks.offsets), columns(blocks.columns);
      const OnDevice<std::uint8_t> values(stored(blocks.values, type));
      const int count = static_cast<int>(blocks.columns.size());
      const auto alpha = stored({2}, type);
      const auto alpha_at = static_cast<const void*>(alpha.data());
      const Matrix b = random_matrix(rows, 3, type, 1, 2);
      const DenseOnDevice right(b, type, by_columns, 1), solution(Matrix(rows, 3), type, by_columns);
      int bytes = 0;
      ASSERT_EQ(cusparse().call("cusparseCreateBsrsm2Info", &info), success);
      EXPECT_EQ(cusparse().call(name("bsrsm2_bufferSize").c_str(), static_cast<void*>(handle),
                                static_cast<int>(direction), static_cast<int>(op), 0, rows / block, 3, count, descr,
                                values.get(), offsets.get(), columns.get(), block, info, &bytes),
                success);
      const OnDevice<std::uint8_t> buffer(std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
      EXPECT_EQ(cusparse().call(name("bsrsm2_analysis").c_str(), static_cast<void*>(handle),
                                static_cast<int>(direction), static_cast<int>(op), 0, rows / block, 3, count, descr,
                                values.get(), offsets.get(), columns.get(), block, info, 0, buffer.get()),
                success);
      EXPECT_EQ(
          cusparse().call(name("bsrsm2_solve").c_str(), static_cast<void*>(handle), static_cast<int>(direction),
                          static_cast<int>(op), 0, rows / block, 3, count, alpha_at, descr, values.get(), offsets.get(),
                          columns.get(), block, info, right.memory.get(), static_cast<int>(right.leading),
                          solution.memory.get(), static_cast<int>(solution.leading), 0, buffer.get()),
          success);
      EXPECT_LE(difference(product(triangle, solution.values()), combined(2, b, 0, b)),
                100 * tolerance(type) * (unit == 1 ? 10 : 1));
      int position = 0;
      EXPECT_EQ(cusparse().call("cusparseXbsrsm2_zeroPivot", static_cast<void*>(handle), info, &position), success);
      EXPECT_EQ(position, -1);

      const Matrix single = random_matrix(rows, 1, type, 1, 3);
      const DenseOnDevice x_memory(single, type, by_rows), y_memory(Matrix(rows, 1), type, by_rows);
      ASSERT_EQ(cusparse().call("cusparseCreateBsrsv2Info", &vector_info), success);
      EXPECT_EQ(cusparse().call(name("bsrsv2_bufferSize").c_str(), static_cast<void*>(handle),
                                static_cast<int>(direction), static_cast<int>(op), rows / block, count, descr,
                                values.get(), offsets.get(), columns.get(), block, vector_info, &bytes),
                success);
      const OnDevice<std::uint8_t> vector_buffer(std::vector<std::uint8_t>(static_cast<std::size_t>(bytes)));
      EXPECT_EQ(cusparse().call(name("bsrsv2_analysis").c_str(), static_cast<void*>(handle),
                                static_cast<int>(direction), static_cast<int>(op), rows / block, count, descr,
                                values.get(), offsets.get(), columns.get(), block, vector_info, 0, vector_buffer.get()),
                success);
      EXPECT_EQ(cusparse().call(name("bsrsv2_solve").c_str(), static_cast<void*>(handle), static_cast<int>(direction),
                                static_cast<int>(op), rows / block, count, alpha_at, descr, values.get(), offsets.get(),
                                columns.get(), block, vector_info, x_memory.memory.get(), y_memory.memory.get(), 0,
                                vector_buffer.get()),
                success);
      EXPECT_LE(difference(product(triangle, y_memory.values()), combined(2, single, 0, single)),
                100 * tolerance(type) * (unit == 1 ? 10 : 1));
      EXPECT_EQ(cusparse().call("cusparseDestroyBsrsm2Info", info), success);
      EXPECT_EQ(cusparse().call("cusparseDestroyBsrsv2Info", vector_info), success);
      EXPECT_EQ(cusparse().call("cusparseDestroyMatDescr", descr), success);
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

TEST(Cusparse, refuses_what_the_documentation_excludes) {
  EXPECT_EQ(cusparse().call("cusparseSetStream", static_cast<void*>(nullptr), static_cast<void*>(nullptr)),
            not_initialized);
  void* descr = nullptr;
  EXPECT_EQ(cusparse().call("cusparseCreateDnMat", &descr, std::int64_t{4}, std::int64_t{3}, std::int64_t{2},
                            static_cast<void*>(&descr), 0, 2),
            invalid_value);
  const auto text = reinterpret_cast<const char* (*)(int)>(cusparse().find("cusparseGetErrorString"));
  ASSERT_NE(text, nullptr);
  EXPECT_STREQ(text(0), "success");
  EXPECT_STRNE(text(invalid_value), text(zero_pivot));
}

}  // namespace
}  // namespace warpwalk::libraries_test::stored::sparse
