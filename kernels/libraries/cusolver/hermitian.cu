// nvcc: -std=c++20
// Stand-ins for cuSOLVER's eigenvalues of symmetric and Hermitian matrices: syevd, syevj, heevd, heevj, XsyevBatched.
// The matrix is reduced to a tridiagonal one by reflectors, whose eigenvalues the implicit QL method finds.

#include "../cublas_lapack/reflector.cuh"

namespace stand_in::cusolver {

/// A = Q T Q^H with a real tridiagonal T, for n x n Hermitian matrices of which the lower triangle is read
/// (`conjugated`: its conjugate). `work`: n x n for the full matrix. `q`: column k + 1 gets the reflector k, for form_q
/// of the part from (1, 1) on; row and column 0 those of the identity. `vectors`: 2 n numbers. `reals`: the n diagonal
/// elements of T, the n below the diagonal, and 2 n more. One block per matrix.
template <class Number>
__global__ void __launch_bounds__(256)
    tridiagonal(int n, Matrices<const Number> matrices, bool conjugated, Matrices<Number> works, Matrices<Number> qs,
                Matrices<Number> vectors, Matrices<Number> taus, Real<Number>* reals) {
  __shared__ Number shared_tau, shared_product;
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<const Number> source = matrices[blockIdx.x];
  const Matrix<Number> a = works[blockIdx.x], q = qs[blockIdx.x], tau = taus[blockIdx.x];
  Number* const v = vectors[blockIdx.x].first;
  Number* const w = v + n;
  Real<Number>* const diagonal = reals + 4LL * n * blockIdx.x;
  Real<Number>* const below = diagonal + n;

  for (int j = warp; j < n; j += warps)
    for (int i = lane; i < n; i += warp_size) {
      const Number value = conjugate_if(conjugated, i >= j ? source(i, j) : source(j, i));
      a(i, j) = i == j ? from_real<Number>(real_part(value)) : conjugate_if(i < j, value);
      if (i == 0 || j == 0) q(i, j) = from_real<Number>(i == j ? 1 : 0);
    }
  __syncthreads();

  for (int k = 0; k < n - 1; ++k) {
    // The reflector that leaves one element below the diagonal of column k.
    const int first = k + 1, count = n - first;
    if (warp == 0) {
      const Number made = make_reflector(a(first, k), part(a, first + 1, k), count - 1);
      for (int i = first + lane; i < n; i += warp_size) {
        v[i] = i == first ? from_real<Number>(1) : a(i, k);
        if (i > first) q(i, k + 1) = v[i];
      }
      if (lane == 0) {
        tau(k, 0) = shared_tau = made;
        below[k] = real_part(a(first, k));
      }
    }
    __syncthreads();

    // w = tau A v. A row of A is the conjugate of its column.
    const Number factor = shared_tau;
    for (int j = first + warp; j < n; j += warps) {
      Number sum{};
      for (int i = first + lane; i < n; i += warp_size) sum += conjugate(a(i, j)) * v[i];
      sum = warp_sum(sum);
      if (lane == 0) w[j] = factor * sum;
    }
    __syncthreads();
    // w = w - (tau / 2) (w^H v) v
    if (warp == 0) {
      Number sum{};
      for (int i = first + lane; i < n; i += warp_size) sum += conjugate(w[i]) * v[i];
      sum = warp_sum(sum);
      if (lane == 0) shared_product = Real<Number>(-0.5) * (factor * sum);
    }
    __syncthreads();
    for (int i = first + static_cast<int>(threadIdx.x); i < n; i += blockDim.x) w[i] += shared_product * v[i];
    __syncthreads();
    // H^H A H = A - v w^H - w v^H
    for (int j = first + warp; j < n; j += warps) {
      const Number wj = conjugate(w[j]), vj = conjugate(v[j]);
      for (int i = first + lane; i < n; i += warp_size) a(i, j) -= v[i] * wj + w[i] * vj;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) diagonal[i] = real_part(a(i, i));
  if (threadIdx.x == 0 && n > 0) below[n - 1] = 0;
}

/// One pass of the implicit QL method over the rows `from` to `to` of a tridiagonal matrix. Stores its rotations.
/// Returns the first row that was rotated, which is `from` unless the matrix has split.
template <class Float>
__device__ int ql_pass(int from, int to, Float* diagonal, Float* below, Float* cosines, Float* sines) {
  // Wilkinson's shift: the eigenvalue of the first two rows that is nearer to the first diagonal element.
  Float g = (diagonal[from + 1] - diagonal[from]) / (2 * below[from]);
  const Float root = length(g, Float(1));
  g = diagonal[to] - diagonal[from] + below[from] / (g + (g >= 0 ? root : -root));
  Float sine = 1, cosine = 1, shift = 0;
  for (int i = to - 1; i >= from; --i) {
    const Float f = sine * below[i], b = cosine * below[i], r = length(f, g);
    below[i + 1] = r;
    if (r == 0) {
      diagonal[i + 1] -= shift;
      below[to] = 0;
      return i + 1;
    }
    sine = f / r;
    cosine = g / r;
    g = diagonal[i + 1] - shift;
    const Float t = (diagonal[i] - g) * sine + 2 * cosine * b;
    shift = sine * t;
    diagonal[i + 1] = g + shift;
    g = cosine * t - b;
    cosines[i] = cosine;
    sines[i] = sine;
  }
  diagonal[from] -= shift;
  below[from] = g;
  below[to] = 0;
  return from;
}

/// The eigenvalues of T, in ascending order, and Q times its eigenvectors in the order in which they are found, if
/// `vectors_wanted`. `places`: where each belongs in the order. `infos`: 0, or how many values did not converge.
/// One block per matrix: thread 0 makes the rotations, and all threads rotate rows of Q.
template <class Number>
__global__ void __launch_bounds__(256)
    implicit_ql(int n, Real<Number>* reals, Matrices<Number> qs, bool vectors_wanted, Real<Number>* values,
                long long values_stride, int* places, long long places_stride, int* infos) {
  using Float = Real<Number>;
  __shared__ int shared_end, shared_begin, not_numbers;
  const Matrix<Number> q = qs[blockIdx.x];
  Float* const diagonal = reals + 4LL * n * blockIdx.x;
  Float *const below = diagonal + n, *const cosines = below + n, *const sines = cosines + n;
  int failed = 0;
  if (threadIdx.x == 0) not_numbers = 0;

  for (int from = 0; from < n; ++from)
    for (int pass = 0;; ++pass) {
      if (threadIdx.x == 0) {
        // The rows up to the next element that is negligible belong together.
        int to = from;
        while (to < n - 1 && fabs(below[to]) > epsilon<Float>() * (fabs(diagonal[to]) + fabs(diagonal[to + 1]))) ++to;
        shared_end = to;
        shared_begin = from;
        constexpr int most_passes = 60;
        if (to > from && pass < most_passes)
          shared_begin = ql_pass(from, to, diagonal, below, cosines, sines);
        else if (to > from)
          ++failed, shared_end = from;
      }
      __syncthreads();
      const int begin = shared_begin, end = shared_end;
      if (vectors_wanted && end > from)
        for (int row = threadIdx.x; row < n; row += blockDim.x) {
          Number right = q(row, end);
          for (int i = end - 1; i >= begin; --i) {
            const Number left = q(row, i);
            q(row, i + 1) = sines[i] * left + cosines[i] * right;
            right = cosines[i] * left - sines[i] * right;
          }
          q(row, begin) = right;
        }
      __syncthreads();
      if (end == from) break;
    }
  __syncthreads();

  // Each thread counts the values that come before its own. What is not a number comes last, and did not converge.
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    int place = 0;
    const Float value = diagonal[j];
    for (int i = 0; i < n; ++i) {
      const Float other = diagonal[i];
      const bool same = other == value || (isnan(other) && isnan(value));
      place += other < value || (isnan(value) && !isnan(other)) || (same && i < j) ? 1 : 0;
    }
    if (isnan(value)) atomicAdd(&not_numbers, 1);
    places[blockIdx.x * places_stride + j] = place;
    values[blockIdx.x * values_stride + place] = value;
  }
  __syncthreads();
  if (threadIdx.x == 0) infos[blockIdx.x] = max(failed, not_numbers);
}

template __global__ void tridiagonal(int, Matrices<const float>, bool, Matrices<float>, Matrices<float>,
                                     Matrices<float>, Matrices<float>, float*);
template __global__ void tridiagonal(int, Matrices<const double>, bool, Matrices<double>, Matrices<double>,
                                     Matrices<double>, Matrices<double>, double*);
template __global__ void tridiagonal(int, Matrices<const float2>, bool, Matrices<float2>, Matrices<float2>,
                                     Matrices<float2>, Matrices<float2>, float*);
template __global__ void tridiagonal(int, Matrices<const double2>, bool, Matrices<double2>, Matrices<double2>,
                                     Matrices<double2>, Matrices<double2>, double*);

template __global__ void implicit_ql<float>(int, float*, Matrices<float>, bool, float*, long long, int*, long long,
                                            int*);
template __global__ void implicit_ql<double>(int, double*, Matrices<double>, bool, double*, long long, int*, long long,
                                             int*);
template __global__ void implicit_ql<float2>(int, float*, Matrices<float2>, bool, float*, long long, int*, long long,
                                             int*);
template __global__ void implicit_ql<double2>(int, double*, Matrices<double2>, bool, double*, long long, int*,
                                              long long, int*);

}  // namespace stand_in::cusolver
