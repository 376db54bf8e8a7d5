// cuSPARSE: triangular systems, and matrices of blocks.
#include <string>

#include "called_library.h"
#include "sparse_on_device.h"
#include "stored_numbers.h"
#include <gtest/gtest.h>

namespace warpwalk::libraries_test::stored::sparse {
namespace {

enum Direction : int { rows_first = 0, columns_first = 1 };

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

}  // namespace
}  // namespace warpwalk::libraries_test::stored::sparse
