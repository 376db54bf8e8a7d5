// nvcc: -std=c++20
// Stand-in for cuSOLVER's singular value decompositions: gesvd, gesvdj, gesvdjBatched, gesvdaStridedBatched. The
// one-sided Jacobi method rotates pairs of columns until all are orthogonal; their lengths are the singular values.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// Rotates two columns of `count` rows: (p, q) = (cosine p - sine h, sine p + cosine h), where h = phase q.
template <class Number>
__device__ void rotate(const Matrix<Number>& a, int count, int p, int q, Real<Number> cosine, Real<Number> sine,
                       Number phase) {
  for (int i = threadIdx.x % warp_size; i < count; i += warp_size) {
    const Number left = a(i, p), right = phase * a(i, q);
    a(i, p) = cosine * left - sine * right;
    a(i, q) = sine * left + cosine * right;
  }
}

/// Makes two columns of g orthogonal and applies the same rotation to v, if it is not null. Called by one warp. Returns
/// whether they were not orthogonal before.
template <class Number>
__device__ bool make_orthogonal(int rows, int columns, const Matrix<Number>& g, const Matrix<Number>& v, int p, int q,
                                Real<Number> tolerance) {
  using Float = Real<Number>;
  Float p_square = 0, q_square = 0;
  Number product{};
  for (int i = threadIdx.x % warp_size; i < rows; i += warp_size) {
    const Number left = g(i, p), right = g(i, q);
    p_square += square(left);
    q_square += square(right);
    product += conjugate(left) * right;
  }
  p_square = warp_sum(p_square);
  q_square = warp_sum(q_square);
  product = warp_sum(product);
  const Float size = absolute(product);
  if (!(size > tolerance * (sqrt(p_square) * sqrt(q_square)))) return false;

  const Float zeta = (q_square - p_square) / (2 * size);
  const Float tangent = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + length(zeta, Float(1)));
  const Float cosine = 1 / sqrt(1 + tangent * tangent), sine = cosine * tangent;
  const Number phase = (1 / size) * conjugate(product);
  rotate(g, rows, p, q, cosine, sine, phase);
  if (v.first != nullptr) rotate(v, columns, p, q, cosine, sine, phase);
  return true;
}

/// The singular values of m x n matrices, m >= n, in descending order: A V = G with orthogonal columns of G, in the
/// order in which they are found. Wide matrices come here as their conjugate transposes (`conjugated`). `vs.first` is
/// null if V is not wanted. `places`: where each column belongs in the order. The first `kept` values are written;
/// `residuals`, if it is not null, gets the norm of the others. `infos`: 0, or n + 1 without convergence. One block per
/// matrix.
template <class Number>
__global__ void __launch_bounds__(256)
    jacobi_svd(int m, int n, int kept, Matrices<const Number> matrices, bool conjugated, Matrices<Number> gs,
               Matrices<Number> vs, int most_sweeps, Real<Number> tolerance, Real<Number>* values,
               long long values_stride, int* places, long long places_stride, double* residuals, int* infos) {
  using Float = Real<Number>;
  extern __shared__ double shared_lengths[];  // of the columns
  __shared__ int rotations, largest_exponent;
  Float* const lengths = reinterpret_cast<Float*>(shared_lengths);
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<const Number> a = matrices[blockIdx.x];
  const Matrix<Number> g = gs[blockIdx.x];
  Matrix<Number> v = vs[blockIdx.x];
  if (vs.first == nullptr) v.first = nullptr;

  // Squares must not overflow: the matrix is scaled by a power of two, for elements below 1.
  if (threadIdx.x == 0) largest_exponent = -10000;
  __syncthreads();
  bool finite = true;
  Float largest = 0;
  for (int j = warp; j < n; j += warps)
    for (int i = lane; i < m; i += warp_size) {
      const Float size = magnitude(a(i, j));
      finite = finite && size - size == 0;
      largest = max(largest, size);
    }
  if (largest > 0 && finite) atomicMax(&largest_exponent, ilogb(largest) + 1);
  finite = __syncthreads_and(finite) != 0;
  const int exponent = finite && largest_exponent > -10000 ? largest_exponent : 0;
  for (int j = warp; j < n; j += warps) {
    for (int i = lane; i < m; i += warp_size) g(i, j) = ldexp(Float(1), -exponent) * conjugate_if(conjugated, a(i, j));
    if (v.first != nullptr)
      for (int i = lane; i < n; i += warp_size) v(i, j) = from_real<Number>(i == j ? 1 : 0);
  }

  // A sweep takes every pair of columns once. As in a tournament, each of `players` - 1 rounds pairs all columns.
  const int players = n + n % 2;
  bool converged = !finite;
  for (int sweep = 0; sweep < most_sweeps && !converged; ++sweep) {
    if (threadIdx.x == 0) rotations = 0;
    __syncthreads();
    for (int round = 0; round < players - 1; ++round) {
      for (int pair = warp; pair < players / 2; pair += warps) {
        const int first = pair == 0 ? players - 1 : (round + pair) % (players - 1);
        const int second = (round + players - 1 - pair) % (players - 1);
        const int p = min(first, second), q = max(first, second);
        if (q >= n) continue;  // an odd number of columns: one has no partner
        if (make_orthogonal(m, n, g, v, p, q, tolerance) && lane == 0) rotations = 1;
      }
      __syncthreads();
    }
    converged = rotations == 0;
    __syncthreads();
  }
  __syncthreads();

  for (int j = warp; j < n; j += warps) {
    Float squares = 0;
    for (int i = lane; i < m; i += warp_size) squares += square(g(i, j));
    squares = warp_sum(squares);
    if (lane == 0) lengths[j] = sqrt(squares);
  }
  __syncthreads();
  // Each thread counts the values that come before its own.
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    int place = 0;
    const Float value = lengths[j];
    for (int i = 0; i < n; ++i) place += lengths[i] > value || (lengths[i] == value && i < j) ? 1 : 0;
    if (!finite) place = j;
    places[blockIdx.x * places_stride + j] = place;
    if (place < kept) values[blockIdx.x * values_stride + place] = ldexp(value, exponent);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  infos[blockIdx.x] = converged && finite ? 0 : n + 1;
  if (residuals == nullptr) return;
  double squares = 0;
  for (int j = 0; j < n; ++j)
    if (places[blockIdx.x * places_stride + j] >= kept) squares += double(lengths[j]) * lengths[j];
  residuals[blockIdx.x] = ldexp(sqrt(squares), exponent);
}

template __global__ void jacobi_svd<float>(int, int, int, Matrices<const float>, bool, Matrices<float>, Matrices<float>,
                                           int, float, float*, long long, int*, long long, double*, int*);
template __global__ void jacobi_svd<double>(int, int, int, Matrices<const double>, bool, Matrices<double>,
                                            Matrices<double>, int, double, double*, long long, int*, long long, double*,
                                            int*);
template __global__ void jacobi_svd<float2>(int, int, int, Matrices<const float2>, bool, Matrices<float2>,
                                            Matrices<float2>, int, float, float*, long long, int*, long long, double*,
                                            int*);
template __global__ void jacobi_svd<double2>(int, int, int, Matrices<const double2>, bool, Matrices<double2>,
                                             Matrices<double2>, int, double, double*, long long, int*, long long,
                                             double*, int*);

}  // namespace stand_in::cusolver
