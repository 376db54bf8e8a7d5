#pragma once

// Matrices for the tests of cuSPARSE: in memory of the host, in device memory, and how far they differ.

#include <algorithm>
#include <array>
#include <complex>
#include <vector>

#include "called_library.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::sparse {

using Number = std::complex<double>;

/// The numbers of cuSPARSE's interface.
enum Status : int { success = 0, not_initialized = 1, invalid_value = 3, zero_pivot = 9 };
enum Op : int { plain = 0, transposed = 1, conjugated = 2 };
enum Format : int { csr = 1, csc = 2, coo = 3 };
enum Order : int { by_columns = 1, by_rows = 2 };

inline const CalledLibrary& cusparse() {
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

inline Number rounded(Number value, DataType type) {
  std::array<std::uint8_t, 8> bytes{};
  put(bytes.data(), type, value.real());
  const double re = get(bytes.data(), type);
  put(bytes.data(), type, value.imag());
  return {re, is_complex(type) ? get(bytes.data(), type) : 0};
}

/// A matrix of which about `density` of the elements are not zero.
inline Matrix random_matrix(long long rows, long long columns, DataType type, double density, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  Noise noise(seed), chance(seed + 99);
  for (Number& value : matrix.values) {
    const double re = noise.next(), im = noise.next();
    if (chance.next() < 2 * density - 1) value = rounded({re, im}, type);
  }
  return matrix;
}

inline Matrix with_op(const Matrix& a, Op op) {
  if (op == plain) return a;
  Matrix result(a.columns, a.rows);
  for (long long r = 0; r < a.rows; ++r)
    for (long long c = 0; c < a.columns; ++c) result.at(c, r) = op == conjugated ? std::conj(a.at(r, c)) : a.at(r, c);
  return result;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result(a.rows, b.columns);
  for (long long r = 0; r < a.rows; ++r)
    for (long long c = 0; c < b.columns; ++c)
      for (long long k = 0; k < a.columns; ++k) result.at(r, c) += a.at(r, k) * b.at(k, c);
  return result;
}

inline std::size_t bytes_of(DataType type) { return bytes_of_part(type) * (is_complex(type) ? 2 : 1); }

inline std::vector<std::uint8_t> stored(const std::vector<Number>& values, DataType type) {
  std::vector<std::uint8_t> bytes(values.size() * bytes_of(type));
  for (std::size_t i = 0; i < values.size(); ++i) {
    put(&bytes[i * bytes_of(type)], type, values[i].real());
    if (is_complex(type)) put(&bytes[i * bytes_of(type) + bytes_of_part(type)], type, values[i].imag());
  }
  return bytes;
}

inline std::vector<Number> loaded(const std::vector<std::uint8_t>& bytes, DataType type) {
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

inline std::vector<std::uint8_t> index_bytes(const std::vector<int>& indices, bool wide) {
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

inline double difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.columns, b.columns);
  double worst = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double apart = std::abs(a.values[i] - b.values[i]);
    worst = apart <= worst ? worst : apart;  // also NaN
  }
  return worst;
}

inline Matrix combined(Number alpha, const Matrix& a, Number beta, const Matrix& b) {
  Matrix result(a.rows, a.columns);
  for (std::size_t i = 0; i < a.values.size(); ++i)
    result.values[i] = alpha * a.values[i] + (beta == Number{} ? Number{} : beta * b.values[i]);
  return result;
}

inline double tolerance(DataType type) {
  switch (type) {
    case r64:
    case c64: return 1e-13;
    case r16: return 2e-2;
    case r16b: return 1e-1;
    default: return 5e-6;
  }
}

}  // namespace warpwalk::libraries_test::stored::sparse
