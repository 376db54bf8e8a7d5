// nvcc: -std=c++20
// Stand-in for cuSOLVER's Xgeev, last step: eigenvectors from the Schur form, and eigenvalues in the form that is asked
// for.

#include <type_traits>

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

template <class Number>
using ComplexOf = std::conditional_t<sizeof(Real<Number>) == sizeof(float), float2, double2>;

template <class Number>
__device__ ComplexOf<Number> to_complex(Number a) {
  return {real_part(a), imaginary_part(a)};
}

/// The eigenvalue k of the values of a Schur form: real parts and imaginary parts, or complex numbers.
template <class Number>
__device__ ComplexOf<Number> eigenvalue(const Number* values, int n, int k) {
  if constexpr (Complex<Number>)
    return values[k];
  else
    return {values[k], values[n + k]};
}

/// a / b; if b is below `least`, which is rounding error of the Schur form, a / least.
template <Complex C>
__device__ C divide_at_least(C a, C b, Real<C> least) {
  return divide(a, magnitude(b) < least ? from_real<C>(least) : b);
}

/// The eigenvectors v = Z x, where (T - lambda) x = 0 is solved from the last row to the first. They have the norm 1,
/// and their largest component is real. A complex pair of a real matrix has its real and imaginary part in two columns.
/// `works`: n x n for each x. One warp per eigenvalue.
template <class Number>
__global__ void schur_vectors(int n, Matrices<const Number> ts, Matrices<const Number> zs, const Number* values,
                              ComplexOf<Number>* works, Matrices<Number> vectors) {
  using C = ComplexOf<Number>;
  using Float = Real<Number>;
  const int lane = threadIdx.x % warp_size, k = blockIdx.y * (blockDim.x / warp_size) + threadIdx.x / warp_size;
  if (k >= n) return;
  const Matrix<const Number> t = ts[blockIdx.x], z = zs[blockIdx.x];
  const Matrix<Number> vector = vectors[blockIdx.x];
  const C lambda = eigenvalue(values, n, k);
  const bool pair = !Complex<Number> && lambda.y != 0;
  if (pair && lambda.y < 0) return;  // the conjugate of the vector before it
  C* const x = works + static_cast<long long>(k) * n;

  // Differences of eigenvalues below this are rounding errors.
  Float largest = 0;
  for (int i = lane; i <= k; i += warp_size) largest = max(largest, magnitude(t(i, i)) + magnitude(t(i, k)));
  largest = warp_max(largest);
  const Float least = max(epsilon<Float>() * largest, sizeof(Float) == sizeof(float) ? Float(1e-30) : Float(1e-290));

  // The last components: 1, or an eigenvector of the 2 x 2 block.
  const int last = pair ? k + 1 : k;
  C first{1, 0}, second{};
  if (pair) {
    const C upper = to_complex(t(k, k + 1)), lower = to_complex(t(k + 1, k));
    if (magnitude(upper) >= magnitude(lower))
      second = divide(lambda - to_complex(t(k, k)), upper);
    else
      first = divide(lambda - to_complex(t(k + 1, k + 1)), lower), second = {1, 0};
  }
  for (int i = lane; i < k; i += warp_size) {
    x[i] = -(to_complex(t(i, k)) * first);
    if (pair) x[i] -= to_complex(t(i, k + 1)) * second;
  }
  if (lane == 0) {
    x[k] = first;
    if (pair) x[k + 1] = second;
  }
  __syncwarp();

  for (int j = k - 1; j >= 0;) {
    const bool block = !Complex<Number> && j > 0 && !is_zero(t(j, j - 1));
    const int top = block ? j - 1 : j;
    C upper{}, lower{};
    const C d = to_complex(t(j, j)) - lambda;
    if (block) {
      // Cramer's rule for ((a, b), (c, d)) (upper, lower) = (x(j - 1), x(j)).
      const C a = to_complex(t(top, top)) - lambda, b = to_complex(t(top, j)), c = to_complex(t(j, top));
      const C determinant = a * d - b * c;
      const Float least_product = least * (magnitude(a) + magnitude(b) + magnitude(c) + magnitude(d));
      upper = divide_at_least(d * x[top] - b * x[j], determinant, least_product);
      lower = divide_at_least(a * x[j] - c * x[top], determinant, least_product);
    } else {
      lower = divide_at_least(x[j], d, least);
    }
    // A vector that grows is scaled.
    const Float size = max(magnitude(upper), magnitude(lower)), scale = size > Float(1e8) ? 1 / size : Float(1);
    upper = scale * upper;
    lower = scale * lower;
    __syncwarp();
    for (int i = lane; i <= last; i += warp_size) {
      C value = scale * x[i];
      if (i < top) {
        value -= to_complex(t(i, j)) * lower;
        if (block) value -= to_complex(t(i, top)) * upper;
      }
      x[i] = i == j ? lower : block && i == top ? upper : value;
    }
    __syncwarp();
    j = top - 1;
  }

  // The components of x below 1 / size do not matter to v; the largest is scaled to 1 for the squares.
  Float size = 0;
  for (int i = lane; i <= last; i += warp_size) size = max(size, magnitude(x[i]));
  size = warp_max(size);
  Float squares = 0, largest_square = -1;
  C largest_value{};
  const auto component = [&](int row) {
    C sum{};
    for (int j = 0; j <= last; ++j) sum += to_complex(z(row, j)) * ((1 / size) * x[j]);
    return sum;
  };
  for (int row = lane; row < n; row += warp_size) {
    const C v = component(row);
    vector(row, k) = [&] {
      if constexpr (Complex<Number>)
        return v;
      else
        return v.x;
    }();
    if constexpr (!Complex<Number>)
      if (pair) vector(row, k + 1) = v.y;
    squares += square(v);
    if (square(v) > largest_square) largest_square = square(v), largest_value = v;
  }
  squares = warp_sum(squares);
  // The lane with the largest component, the first of several.
  const Float over_lanes = warp_max(largest_square);
  const int owner = __ffs(__ballot_sync(all_lanes, largest_square == over_lanes)) - 1;
  const C of_owner{__shfl_sync(all_lanes, largest_value.x, owner < 0 ? 0 : owner),
                   __shfl_sync(all_lanes, largest_value.y, owner < 0 ? 0 : owner)};
  const Float norm = sqrt(squares);
  const bool turned = Complex<Number> || pair;
  const C factor = turned ? (1 / (absolute(of_owner) * norm)) * conjugate(of_owner) : C{1 / norm, 0};
  for (int row = lane; row < n; row += warp_size) {
    if constexpr (Complex<Number>) {
      vector(row, k) = factor * vector(row, k);
    } else {
      const C v = factor * C{vector(row, k), pair ? vector(row, k + 1) : 0};
      vector(row, k) = v.x;
      if (pair) vector(row, k + 1) = v.y;
    }
  }
}

/// Copies n eigenvalues: as complex numbers, or the real parts and then the imaginary parts. A thread per eigenvalue.
template <class Number>
__global__ void store_values(int n, const Number* values, bool as_complex, void* into) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  const ComplexOf<Number> value = eigenvalue(values, n, k);
  if (as_complex) {
    static_cast<ComplexOf<Number>*>(into)[k] = value;
  } else {
    static_cast<Real<Number>*>(into)[k] = value.x;
    static_cast<Real<Number>*>(into)[n + k] = value.y;
  }
}

template __global__ void schur_vectors<float>(int, Matrices<const float>, Matrices<const float>, const float*, float2*,
                                              Matrices<float>);
template __global__ void schur_vectors<double>(int, Matrices<const double>, Matrices<const double>, const double*,
                                               double2*, Matrices<double>);
template __global__ void schur_vectors<float2>(int, Matrices<const float2>, Matrices<const float2>, const float2*,
                                               float2*, Matrices<float2>);
template __global__ void schur_vectors<double2>(int, Matrices<const double2>, Matrices<const double2>, const double2*,
                                                double2*, Matrices<double2>);

template __global__ void store_values(int, const float*, bool, void*);
template __global__ void store_values(int, const double*, bool, void*);
template __global__ void store_values(int, const float2*, bool, void*);
template __global__ void store_values(int, const double2*, bool, void*);

}  // namespace stand_in::cusolver
