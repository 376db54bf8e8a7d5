#pragma once

// Parameters of the kernels for sparse matrices. The host fills them in (instrumentation/simulated/libraries/cusparse).

namespace stand_in::cusparse {

template <class Real>
struct alignas(2 * sizeof(Real)) Complex {
  Real re, im;
};

/// A sparse matrix by its rows: CSR, BSR or COO. A CSC matrix is the CSR matrix of its transpose.
struct Sparse {
  const void* rows;     ///< offsets of the rows; with `coordinates`, the row of each entry, in ascending order
  const void* columns;  ///< of each entry
  void* values;
  long long entries;                               ///< stored entries, or blocks of BSR
  long long rows_step, columns_step, values_step;  ///< elements from matrix to matrix of a batch
  int coordinates;                                 ///< not 0: COO
  int wide_rows, wide_columns;                     ///< not 0: 64-bit indices
  int base;                                        ///< the first index, 0 or 1
  int block;                                       ///< rows and columns of a block of BSR; 1: no blocks
  int columns_first;                               ///< not 0: blocks are stored by columns
};

/// A dense matrix or vector: steps in elements.
struct Dense {
  void* at;
  long long row, column, batch;
};

/// alpha or beta: a number, or a pointer to one in device memory.
template <class Wide>
struct Scalar {
  Wide value;
  const void* at;  ///< null: `value`
  int storage;     ///< of what is at `at`: 0 as computed, 1 half, 2 bfloat16
};

/// Which triangle of the matrix counts, and how it is used.
struct Triangle {
  int upper, unit;            ///< not 0: the upper one; its diagonal counts as ones
  int transposed, conjugate;  ///< not 0: op
};

/// Which operands are conjugated.
enum Conjugate : int { conjugate_sparse = 1, conjugate_dense = 2 };

}  // namespace stand_in::cusparse
