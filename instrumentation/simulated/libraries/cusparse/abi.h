#pragma once

// Types of cuSPARSE's public interface, with the numbers that its documentation gives (cuSPARSE library, types
// reference), and what its handles and descriptors point to.

#include <cstddef>
#include <cstdint>

namespace warpwalk::simulated::libraries {

/// cusparseStatus_t
enum class SparseStatus : int {
  success = 0,
  not_initialized = 1,
  alloc_failed = 2,
  invalid_value = 3,
  arch_mismatch = 4,
  mapping_error = 5,
  execution_failed = 6,
  internal_error = 7,
  matrix_type_not_supported = 8,
  zero_pivot = 9,
  not_supported = 10,
  insufficient_resources = 11,
};

/// cudaDataType_t, as far as kernels have it
enum class SparseData : int { r32 = 0, r64 = 1, r16 = 2, c32 = 4, c64 = 5, r16b = 14 };

/// cusparseOperation_t
enum class SparseOp : int { none = 0, transpose = 1, conjugate_transpose = 2 };

/// cusparseFormat_t
enum class SparseFormat : int { csr = 1, csc = 2, coo = 3, bsr = 6 };

/// cusparseOrder_t
enum class DenseOrder : int { column = 1, row = 2 };

/// cusparseIndexType_t
enum class SparseIndex : int { i32 = 2, i64 = 3 };

/// What a cusparseHandle_t points to.
struct SparseHandle {
  const void* stream = nullptr;
  bool scalars_on_device = false;  ///< cusparsePointerMode_t
};

/// What a cusparseMatDescr_t points to: of the functions that take a matrix as arrays.
struct SparseMatDescr {
  int type = 0;      ///< cusparseMatrixType_t
  int fill = 0;      ///< cusparseFillMode_t: 1 upper
  int diagonal = 0;  ///< cusparseDiagType_t: 1 ones
  int base = 0;      ///< cusparseIndexBase_t
};

/// What a cusparseSpMatDescr_t points to.
struct SparseMatrix {
  SparseFormat format = SparseFormat::csr;
  std::int64_t rows = 0, columns = 0;  ///< elements
  std::int64_t entries = 0;            ///< stored elements, or blocks
  const void* offsets = nullptr;       ///< of CSR's and BSR's rows and CSC's columns; the rows of COO
  const void* indices = nullptr;       ///< of columns, or of CSC's rows
  void* values = nullptr;
  SparseIndex offset_type = SparseIndex::i32, index_type = SparseIndex::i32;
  int base = 0;
  SparseData data = SparseData::r32;
  int batches = 1;
  std::int64_t offsets_step = 0, indices_step = 0, values_step = 0;
  int block = 1;  ///< rows and columns of a block
  bool columns_first = false;
  int fill = 0, diagonal = 0;  ///< as in SparseMatDescr
};

/// What a cusparseDnMatDescr_t points to.
struct DenseMatrix {
  std::int64_t rows = 0, columns = 0, leading = 0;
  void* values = nullptr;
  SparseData data = SparseData::r32;
  DenseOrder order = DenseOrder::column;
  int batches = 1;
  std::int64_t step = 0;
};

/// What a cusparseDnVecDescr_t points to.
struct DenseVector {
  std::int64_t size = 0;
  void* values = nullptr;
  SparseData data = SparseData::r32;
};

}  // namespace warpwalk::simulated::libraries
