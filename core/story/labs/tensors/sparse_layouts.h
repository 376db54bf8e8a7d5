#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::story {

/// torch.layout of a matrix.
enum class MatrixLayout : std::uint8_t { strided, coo, csr };
constexpr std::array<std::string_view, 3> layout_keys = {"strided", "coo", "csr"};

/// A matrix with few nonzeros, in row-major order.
struct SparseMatrix {
  static constexpr std::int64_t rows = 4, columns = 6, count = rows * columns;
  std::vector<std::int64_t> elements;
  std::int64_t nonzeros = 0;
};
/// Nonzero k is element (7 k + 3) mod 24, and its value is that number plus 1.
SparseMatrix scattered_matrix(std::int64_t nonzeros);

/// One array that a layout keeps.
struct LayoutArray {
  std::string_view name;  ///< as PyTorch's method: "crow_indices"; of a strided tensor "storage"
  std::vector<std::int64_t> numbers;
  bool indices = false;  ///< int64 numbers that say where the values belong; else values of the dtype
};
/// The arrays of a matrix: strided the storage; in COO the row and the column of each nonzero and the values; in CSR
/// the number of the first value of each row (and the end of the last), columns and values.
std::vector<LayoutArray> arrays_of(const SparseMatrix& matrix, MatrixLayout layout);
/// Bytes of all arrays; an index has 8.
std::int64_t bytes_of(const SparseMatrix& matrix, MatrixLayout layout, std::int64_t element_bytes);
/// The numbers in each array that describe an element, by array; empty where there are none, as for a zero in COO.
std::vector<std::vector<std::size_t>> described_by(const SparseMatrix& matrix, MatrixLayout layout,
                                                   std::int64_t element);

/// The dispatch key of a backend ("CUDA") for tensors of a layout: "SparseCsrCUDA" (c10/core/DispatchKey.h).
std::string layout_key(std::string_view backend, MatrixLayout layout);

}  // namespace warpwalk::story
