// nvcc: -std=c++20
// Stand-in for cuSOLVER's Xgeev, second step for real matrices: the real Schur form by Francis's double-shift QR
// method. One warp works on a matrix: its lanes compute the same shifts and reflectors, and apply them to different
// elements.

#include "../cublas_lapack/matrices.cuh"
#include "../cublas_lapack/numbers.cuh"

namespace stand_in::cusolver {

/// The reflector I - (x, y, z)^T (1, q, r) of three rows, or of two.
template <class Float>
struct SmallReflector {
  Float x, y, z, q, r;
};

/// The reflector that turns (p, q, r), which is not zero, into a multiple of the first axis: `result` times it.
template <class Float>
__device__ SmallReflector<Float> small_reflector(Float p, Float q, Float r, Float& result) {
  const Float scale = fabs(p) + fabs(q) + fabs(r);
  p /= scale;
  q /= scale;
  r /= scale;
  const Float norm = sqrt(p * p + q * q + r * r), s = p < 0 ? -norm : norm;
  result = -s * scale;
  p += s;
  return {p / s, q / s, r / s, q / p, r / p};
}

/// Rows (or, in the transpose, columns) k, k + 1 and perhaps k + 2 by the reflector, in the columns `from` to `to`.
template <class Float>
__device__ void reflect_rows(const Matrix<Float>& h, const SmallReflector<Float>& reflector, int k, bool three,
                             int from, int to) {
  for (int j = from + static_cast<int>(threadIdx.x); j < to; j += warp_size) {
    Float sum = h(k, j) + reflector.q * h(k + 1, j);
    if (three) sum += reflector.r * h(k + 2, j);
    h(k, j) -= sum * reflector.x;
    h(k + 1, j) -= sum * reflector.y;
    if (three) h(k + 2, j) -= sum * reflector.z;
  }
  __syncwarp();
}

/// One pass over the rows `low` to `high`, whose subdiagonal elements are not negligible.
template <class Float>
__device__ void francis_pass(int n, int low, int high, bool exceptional, const Matrix<Float>& h,
                             const Matrix<Float>& z) {
  const Matrix<Float> columns{h.first, h.column_step, h.row_step}, z_columns{z.first, z.column_step, z.row_step};
  // Both shifts, by their sum and product: the eigenvalues of the last 2 x 2 block.
  Float sum = h(high - 1, high - 1) + h(high, high);
  Float product = h(high - 1, high - 1) * h(high, high) - h(high - 1, high) * h(high, high - 1);
  if (exceptional) {
    const Float size = fabs(h(high, high - 1)) + fabs(h(high - 1, high - 2));
    const Float center = Float(0.75) * size + h(high, high);
    sum = 2 * center;
    product = center * center + Float(0.4375) * size * size;
  }
  // The pass starts where two subdiagonal elements in a row are small.
  int start = high - 2;
  Float p = 0, q = 0, r = 0;
  for (;; --start) {
    const Float a = h(start, start), next = h(start + 1, start + 1), below = h(start + 1, start);
    p = (a * (a - sum) + product) / below + h(start, start + 1);
    q = a + next - sum;
    r = h(start + 2, start + 1);
    const Float scale = fabs(p) + fabs(q) + fabs(r);
    p /= scale;
    q /= scale;
    r /= scale;
    if (start == low) break;
    const Float before = fabs(h(start, start - 1)) * (fabs(q) + fabs(r));
    if (before < epsilon<Float>() * fabs(p) * (fabs(h(start - 1, start - 1)) + fabs(a) + fabs(next))) break;
  }
  __syncwarp();

  for (int k = start; k < high; ++k) {
    const bool three = k < high - 1;
    if (k > start) {
      p = h(k, k - 1);
      q = h(k + 1, k - 1);
      r = three ? h(k + 2, k - 1) : 0;
    }
    __syncwarp();
    if (p == 0 && q == 0 && r == 0) continue;
    Float result;
    const SmallReflector<Float> reflector = small_reflector(p, q, r, result);
    if (threadIdx.x == 0 && k > start) {
      h(k, k - 1) = result;
      h(k + 1, k - 1) = 0;
      if (three) h(k + 2, k - 1) = 0;
    } else if (threadIdx.x == 0 && start > low) {
      h(k, k - 1) *= 1 - reflector.x;
    }
    __syncwarp();
    reflect_rows(h, reflector, k, three, k, n);
    // The reflector is symmetric: rows of the transposes are columns.
    reflect_rows(columns, reflector, k, three, 0, min(high, k + 3) + 1);
    reflect_rows(z_columns, reflector, k, three, 0, n);
  }
}

/// Splits the 2 x 2 block of the rows k and k + 1 if its eigenvalues are real, and stores them.
template <class Float>
__device__ void finish_block(int n, int k, const Matrix<Float>& h, const Matrix<Float>& z, Float* real_parts,
                             Float* imaginary_parts) {
  const Float a = h(k, k), b = h(k, k + 1), c = h(k + 1, k), d = h(k + 1, k + 1);
  const Float half = (a - d) / 2, square = half * half + b * c, root = sqrt(fabs(square));
  __syncwarp();
  if (square < 0) {
    if (threadIdx.x == 0) {
      real_parts[k] = real_parts[k + 1] = d + half;
      imaginary_parts[k] = root;
      imaginary_parts[k + 1] = -root;
    }
    return;
  }
  // The eigenvector (larger, c) of the first eigenvalue d + larger becomes the first axis.
  const Float larger = half >= 0 ? half + root : half - root;
  const Float size = length(larger, c), cosine = larger / size, sine = c / size;
  const Matrix<Float> columns{h.first, h.column_step, h.row_step}, z_columns{z.first, z.column_step, z.row_step};
  const auto rotate_rows = [&](const Matrix<Float>& of, int from, int to) {
    for (int j = from + static_cast<int>(threadIdx.x); j < to; j += warp_size) {
      const Float upper = of(k, j), lower = of(k + 1, j);
      of(k, j) = cosine * upper + sine * lower;
      of(k + 1, j) = cosine * lower - sine * upper;
    }
    __syncwarp();
  };
  rotate_rows(h, k, n);
  rotate_rows(columns, 0, k + 2);
  rotate_rows(z_columns, 0, n);
  if (threadIdx.x == 0) {
    h(k + 1, k) = 0;
    real_parts[k] = h(k, k);
    real_parts[k + 1] = h(k + 1, k + 1);
    imaginary_parts[k] = imaginary_parts[k + 1] = 0;
  }
}

/// H = Z T Z^T with T upper triangular up to 2 x 2 blocks of complex pairs of eigenvalues, in place of H; Z is
/// multiplied from the right. `values`: 2 n per matrix, real parts and imaginary parts. `infos`: 0, or how many of the
/// first eigenvalues did not converge. One warp per matrix.
template <class Float>
__global__ void __launch_bounds__(32)
    real_schur(int n, Matrices<Float> hs, Matrices<Float> zs, Float* values, int* infos) {
  const Matrix<Float> h = hs[blockIdx.x], z = zs[blockIdx.x];
  Float* const real_parts = values + 2LL * n * blockIdx.x;
  Float* const imaginary_parts = real_parts + n;
  constexpr int most_passes = 60;  // per eigenvalue
  int high = n - 1, passes = 0;
  while (high >= 0 && passes < most_passes) {
    // The block that ends at `high` begins after the last negligible element of the subdiagonal.
    int low = high;
    for (; low > 0; --low) {
      const Float size = fabs(h(low - 1, low - 1)) + fabs(h(low, low));
      if (fabs(h(low, low - 1)) <= epsilon<Float>() * size) break;
    }
    __syncwarp();
    if (low > 0 && threadIdx.x == 0) h(low, low - 1) = 0;
    __syncwarp();
    if (low == high) {
      if (threadIdx.x == 0) {
        real_parts[high] = h(high, high);
        imaginary_parts[high] = 0;
      }
      --high;
      passes = 0;
    } else if (low == high - 1) {
      finish_block(n, low, h, z, real_parts, imaginary_parts);
      high -= 2;
      passes = 0;
    } else {
      ++passes;
      francis_pass(n, low, high, passes % 10 == 0, h, z);
    }
    __syncwarp();
  }
  // Without convergence, what is left is not a number.
  for (int i = threadIdx.x; i <= high; i += warp_size) real_parts[i] = imaginary_parts[i] = NAN;
  if (threadIdx.x == 0) infos[blockIdx.x] = high + 1;
}

template __global__ void real_schur(int, Matrices<float>, Matrices<float>, float*, int*);
template __global__ void real_schur(int, Matrices<double>, Matrices<double>, double*, int*);

}  // namespace stand_in::cusolver
