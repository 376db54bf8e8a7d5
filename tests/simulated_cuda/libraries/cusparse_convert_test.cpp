// cuSPARSE: conversions, sorting and sums of sparse matrices, and errors.
#include <algorithm>
#include <numeric>
#include <string>

#include "called_library.h"
#include "sparse_on_device.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::sparse {
namespace {

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

TEST(Cusparse, converts_to_dense_and_back) {
  const Handle handle;
  for (const DataType type : {r32, r64, c32, c64, r16, r16b})
    for (const Format format : {csr, csc, coo}) {
      SCOPED_TRACE(static_cast<int>(type) * 10 + static_cast<int>(format));
      const Matrix a = random_matrix(7, 45, type, 0.4, 1);
      const SparseOnDevice sparse(a, type, format, type == r64, 1);
      const DenseOnDevice dense(random_matrix(7, 45, type, 1, 2), type, format == coo ? by_columns : by_rows, 1);
      std::size_t bytes = 0;
      void* const none = nullptr;
      EXPECT_EQ(cusparse().call("cusparseSparseToDense_bufferSize", static_cast<void*>(handle), sparse.descr,
                                dense.descr, 0, &bytes),
                success);
      const OnDevice<std::uint8_t> first((std::vector<std::uint8_t>(bytes)));
      EXPECT_EQ(cusparse().call("cusparseSparseToDense", static_cast<void*>(handle), sparse.descr, dense.descr, 0,
                                first.get()),
                success);
      EXPECT_EQ(difference(dense.values(), a), 0);

      // The other way, into a matrix whose arrays are allocated once their size is known.
      const auto count = sparse.arrays.values.size();
      const std::size_t index = type == r64 ? 8 : 4;
      const std::size_t lines = format == coo ? count : format == csc ? 46 : 8;
      const OnDevice<std::uint8_t> offsets(std::vector<std::uint8_t>(lines * index)),
          indices(std::vector<std::uint8_t>(count * index)), values(std::vector<std::uint8_t>(count * bytes_of(type)));
      void* descr = nullptr;
      const int index_type = type == r64 ? 3 : 2;
      const std::int64_t rows = 7, columns = 45, zero = 0;
      if (format == coo)
        EXPECT_EQ(cusparse().call("cusparseCreateCoo", &descr, rows, columns, zero, none, none, none, index_type, 1,
                                  static_cast<int>(type)),
                  success);
      else
        EXPECT_EQ(cusparse().call(format == csr ? "cusparseCreateCsr" : "cusparseCreateCsc", &descr, rows, columns,
                                  zero, static_cast<void*>(offsets.get()), none, none, index_type, index_type, 1,
                                  static_cast<int>(type)),
                  success);
      EXPECT_EQ(cusparse().call("cusparseDenseToSparse_bufferSize", static_cast<void*>(handle), dense.descr, descr, 0,
                                &bytes),
                success);
      const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
      EXPECT_EQ(cusparse().call("cusparseDenseToSparse_analysis", static_cast<void*>(handle), dense.descr, descr, 0,
                                buffer.get()),
                success);
      std::int64_t got_rows = 0, got_columns = 0, got = 0;
      EXPECT_EQ(cusparse().call("cusparseSpMatGetSize", descr, &got_rows, &got_columns, &got), success);
      ASSERT_EQ(got, static_cast<std::int64_t>(count));
      EXPECT_EQ(cusparse().call(format == coo   ? "cusparseCooSetPointers"
                                : format == csr ? "cusparseCsrSetPointers"
                                                : "cusparseCscSetPointers",
                                descr, static_cast<void*>(offsets.get()), static_cast<void*>(indices.get()),
                                static_cast<void*>(values.get())),
                success);
      EXPECT_EQ(cusparse().call("cusparseDenseToSparse_convert", static_cast<void*>(handle), dense.descr, descr, 0,
                                buffer.get()),
                success);
      EXPECT_EQ(offsets.values(), sparse.offsets.values());
      EXPECT_EQ(indices.values(), sparse.indices.values());
      EXPECT_EQ(values.values(), sparse.values.values());
      EXPECT_EQ(cusparse().call("cusparseDestroySpMat", descr), success);
    }
}

TEST(Cusparse, transposes_compressed_matrices) {
  const Handle handle;
  for (const DataType type : {r32, c64, r16}) {
    const Matrix a = random_matrix(20, 13, type, 0.3, 1);
    const SparseOnDevice sparse(a, type, csr), wanted(a, type, csc);
    const int count = static_cast<int>(sparse.arrays.values.size());
    const OnDevice<std::uint8_t> offsets(std::vector<std::uint8_t>(14 * 4)),
        indices(std::vector<std::uint8_t>(static_cast<std::size_t>(count) * 4)),
        values(std::vector<std::uint8_t>(static_cast<std::size_t>(count) * bytes_of(type)));
    std::size_t bytes = 0;
    EXPECT_EQ(cusparse().call("cusparseCsr2cscEx2_bufferSize", static_cast<void*>(handle), 20, 13, count,
                              sparse.values.get(), sparse.offsets.get(), sparse.indices.get(), values.get(),
                              offsets.get(), indices.get(), static_cast<int>(type), 1, 0, 1, &bytes),
              success);
    const OnDevice<std::uint8_t> buffer((std::vector<std::uint8_t>(bytes)));
    EXPECT_EQ(cusparse().call("cusparseCsr2cscEx2", static_cast<void*>(handle), 20, 13, count, sparse.values.get(),
                              sparse.offsets.get(), sparse.indices.get(), values.get(), offsets.get(), indices.get(),
                              static_cast<int>(type), 1, 0, 1, buffer.get()),
              success);
    EXPECT_EQ(offsets.values(), wanted.offsets.values());
    EXPECT_EQ(indices.values(), wanted.indices.values());
    EXPECT_EQ(values.values(), wanted.values.values());
  }
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
