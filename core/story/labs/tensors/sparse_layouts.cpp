#include "core/story/labs/tensors/sparse_layouts.h"

namespace warpwalk::story {

SparseMatrix scattered_matrix(std::int64_t nonzeros) {
  SparseMatrix matrix{std::vector<std::int64_t>(SparseMatrix::count), nonzeros};
  for (std::int64_t k = 0; k < nonzeros; ++k) {
    const std::int64_t at = (7 * k + 3) % SparseMatrix::count;
    matrix.elements[static_cast<std::size_t>(at)] = at + 1;
  }
  return matrix;
}

std::vector<LayoutArray> arrays_of(const SparseMatrix& matrix, MatrixLayout layout) {
  if (layout == MatrixLayout::strided) return {{"storage", matrix.elements, false}};
  LayoutArray rows{"row indices", {}, true}, columns{"column indices", {}, true}, values{"values", {}, false};
  LayoutArray starts{"crow_indices", {0}, true};
  for (std::int64_t row = 0; row < SparseMatrix::rows; ++row) {
    for (std::int64_t column = 0; column < SparseMatrix::columns; ++column) {
      const std::int64_t value = matrix.elements[static_cast<std::size_t>(row * SparseMatrix::columns + column)];
      if (value == 0) continue;
      rows.numbers.push_back(row);
      columns.numbers.push_back(column);
      values.numbers.push_back(value);
    }
    starts.numbers.push_back(std::ssize(values.numbers));
  }
  if (layout == MatrixLayout::coo) return {rows, columns, values};
  columns.name = "col_indices";
  return {starts, columns, values};
}

std::int64_t bytes_of(const SparseMatrix& matrix, MatrixLayout layout, std::int64_t element_bytes) {
  constexpr std::int64_t index_bytes = 8;
  std::int64_t bytes = 0;
  for (const LayoutArray& array : arrays_of(matrix, layout))
    bytes += std::ssize(array.numbers) * (array.indices ? index_bytes : element_bytes);
  return bytes;
}

std::vector<std::vector<std::size_t>> described_by(const SparseMatrix& matrix, MatrixLayout layout,
                                                   std::int64_t element) {
  const auto at = static_cast<std::size_t>(element);
  if (layout == MatrixLayout::strided) return {{at}};
  std::size_t before = 0;
  for (std::size_t i = 0; i < at; ++i) before += matrix.elements[i] != 0 ? 1 : 0;
  std::vector<std::size_t> entry;
  if (matrix.elements[at] != 0) entry.push_back(before);
  if (layout == MatrixLayout::coo) return {entry, entry, entry};
  // A row of CSR lies between two numbers of the first array, whether the element is stored or not.
  const std::size_t row = at / static_cast<std::size_t>(SparseMatrix::columns);
  return {{row, row + 1}, entry, entry};
}

std::string layout_key(std::string_view backend, MatrixLayout layout) {
  static constexpr std::array<std::string_view, 3> prefixes = {"", "Sparse", "SparseCsr"};
  return std::string(prefixes[static_cast<std::size_t>(layout)]).append(backend);
}

}  // namespace warpwalk::story
