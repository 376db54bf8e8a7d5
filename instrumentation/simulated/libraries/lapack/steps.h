#pragma once

#include <cstddef>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/libraries/cublas/abi.h"
#include "instrumentation/simulated/libraries/lapack/matrices.h"

namespace warpwalk::simulated::libraries {

/// Which triangle of a matrix a solver reads, and how.
struct Triangle {
  SideMode side = SideMode::left;
  FillMode fill = FillMode::lower;
  Operation operation = Operation::none;
  DiagonalType diagonal = DiagonalType::non_unit;
};

/// Solves op(A) X = alpha B, or X op(A) = alpha B, in place of B, which is m x n. `alpha_at`: null, or where alpha is
/// in device memory.
template <class Number>
Error solve_triangular(const void* stream, const Triangle& triangle, int m, int n, Number alpha, const Number* alpha_at,
                       const Matrices<const Number>& a, const Matrices<Number>& b, int batch);

/// LU factorization of m x n matrices. `pivots`: min(m, n) per matrix, or null for none; `infos`: one per matrix.
template <class Number>
Error factor_lu(const void* stream, int m, int n, const Matrices<Number>& a, int* pivots, int* infos, int batch);

/// Solves op(A) X = B in place of B, from the LU factorization of n x n matrices.
template <class Number>
Error solve_lu(const void* stream, Operation operation, int n, int columns, const Matrices<const Number>& a,
               const int* pivots, const Matrices<Number>& b, int batch);

/// QR factorization of m x n matrices. `taus`: min(m, n) rows.
template <class Number>
Error factor_qr(const void* stream, int m, int n, const Matrices<Number>& a, const Matrices<Number>& taus, int batch);

/// Least squares: replaces the first n rows of C, which has m >= n rows, by the X for which A X is nearest to C. A is
/// replaced by its QR factorization.
template <class Number>
Error solve_least_squares(const void* stream, int m, int n, int columns, const Matrices<Number>& a,
                          const Matrices<Number>& c, int batch);

/// Replaces k reflectors by the first n columns of Q.
template <class Number>
Error form_q(const void* stream, int m, int n, int k, const Matrices<Number>& a, const Matrices<const Number>& taus,
             int batch);

/// Replaces C, which is m x n, by op(Q) C or C op(Q), where Q has k reflectors.
template <class Number>
Error multiply_by_q(const void* stream, SideMode side, Operation operation, int m, int n, int k,
                    const Matrices<const Number>& a, const Matrices<const Number>& taus, const Matrices<Number>& c,
                    int batch);

/// Writes to `infos` which diagonal element of the n x n matrices is the first zero, from 1.
template <class Number>
Error find_zero_diagonal(const void* stream, int n, const Matrices<const Number>& a, int* infos, int batch);

/// Writes zeros in the order of the stream. `at` can be null.
Error clear(const void* stream, void* at, std::size_t bytes);

/// Copies from device memory in the order of the stream, and waits.
Error copy_to_host(const void* stream, void* to, const void* from, std::size_t bytes);

}  // namespace warpwalk::simulated::libraries
