// nvcc: -std=c++20
// Stand-in for cuSOLVER's Xgeev, second step for complex matrices: the Schur form by the QR method with single shifts.
// One warp works on a matrix: its lanes compute the same shifts and rotations, and apply them to different elements.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// The square root with a real part that is not negative.
template <Complex C>
__device__ C square_root(C a) {
  const Real<C> size = absolute(a);
  if (size == 0) return C{};
  const Real<C> larger = sqrt((size + fabs(a.x)) / 2), smaller = fabs(a.y) / (2 * larger);
  const C root = a.x >= 0 ? C{larger, smaller} : C{smaller, larger};
  return a.y < 0 ? conjugate(root) : root;
}

/// The eigenvalue of ((a, b), (c, d)) that is nearer to d.
template <Complex C>
__device__ C nearer_eigenvalue(C a, C b, C c, C d) {
  const C half = Real<C>(0.5) * (a - d), root = square_root(half * half + b * c);
  const C same = real_part(conjugate(half) * root) >= 0 ? root : -root;  // for the larger sum
  const C sum = half + same;
  return is_zero(sum) ? d : d - divide(b * c, sum);
}

/// One pass over the rows `low` to `high`, whose subdiagonal elements are not negligible.
template <Complex C>
__device__ void qr_pass(int n, int low, int high, C shift, const Matrix<C>& h, const Matrix<C>& z) {
  for (int k = low; k < high; ++k) {
    // The rotation ((cosine, sine), (-conj(sine), cosine)) that turns (x, y) into a multiple of the first axis.
    const C x = k == low ? h(k, k) - shift : h(k, k - 1), y = k == low ? h(k + 1, k) : h(k + 1, k - 1);
    const Real<C> x_size = absolute(x), size = length(x_size, absolute(y));
    __syncwarp();
    if (size == 0) continue;
    const Real<C> cosine = x_size / size;
    const C phase = x_size == 0 ? from_real<C>(1) : (1 / x_size) * x;
    const C sine = (1 / size) * (phase * conjugate(y));
    for (int j = max(k - 1, low) + static_cast<int>(threadIdx.x); j < n; j += warp_size) {
      const C upper = h(k, j), lower = h(k + 1, j);
      h(k, j) = cosine * upper + sine * lower;
      h(k + 1, j) = j < k ? C{} : cosine * lower - conjugate(sine) * upper;
    }
    __syncwarp();
    const auto rotate_columns = [&](const Matrix<C>& of, int rows) {
      for (int i = threadIdx.x; i < rows; i += warp_size) {
        const C left = of(i, k), right = of(i, k + 1);
        of(i, k) = cosine * left + conjugate(sine) * right;
        of(i, k + 1) = cosine * right - sine * left;
      }
    };
    rotate_columns(h, min(high, k + 2) + 1);
    rotate_columns(z, n);
    __syncwarp();
  }
}

/// H = Z T Z^H with T upper triangular, in place of H; Z is multiplied from the right. `values`: n per matrix. `infos`:
/// 0, or how many of the first eigenvalues did not converge. One warp per matrix.
template <Complex C>
__global__ void __launch_bounds__(32) complex_schur(int n, Matrices<C> hs, Matrices<C> zs, C* values, int* infos) {
  const Matrix<C> h = hs[blockIdx.x], z = zs[blockIdx.x];
  C* const own_values = values + static_cast<long long>(n) * blockIdx.x;
  constexpr int most_passes = 60;  // per eigenvalue
  int high = n - 1, passes = 0;
  while (high >= 0 && passes < most_passes) {
    // The block that ends at `high` begins after the last negligible element of the subdiagonal.
    int low = high;
    for (; low > 0; --low) {
      const Real<C> size = magnitude(h(low - 1, low - 1)) + magnitude(h(low, low));
      if (magnitude(h(low, low - 1)) <= epsilon<Real<C>>() * size) break;
    }
    __syncwarp();
    if (low > 0 && threadIdx.x == 0) h(low, low - 1) = C{};
    __syncwarp();
    if (low == high) {
      if (threadIdx.x == 0) own_values[high] = h(high, high);
      --high;
      passes = 0;
      continue;
    }
    ++passes;
    C shift = nearer_eigenvalue(h(high - 1, high - 1), h(high - 1, high), h(high, high - 1), h(high, high));
    if (passes % 10 == 0)  // an exceptional one, against cycles
      shift = h(high, high) + from_real<C>(Real<C>(0.75) * magnitude(h(high, high - 1)));
    qr_pass(n, low, high, shift, h, z);
  }
  // Without convergence, what is left is not a number.
  for (int i = threadIdx.x; i <= high; i += warp_size) own_values[i] = C{NAN, NAN};
  if (threadIdx.x == 0) infos[blockIdx.x] = high + 1;
}

template __global__ void complex_schur(int, Matrices<float2>, Matrices<float2>, float2*, int*);
template __global__ void complex_schur(int, Matrices<double2>, Matrices<double2>, double2*, int*);

}  // namespace stand_in::cusolver
