// nvcc: -std=c++20
// Stand-in for cuSOLVER's Xgeev, first step: the Hessenberg form.

#include "../cublas_lapack/reflector.cuh"

namespace stand_in::cusolver {

/// A = Q H Q^H with zeros in H below its subdiagonal. `hs` gets H. `qs`: column k + 1 gets the reflector k, for form_q
/// of the part from (1, 1) on; row and column 0 those of the identity. One block per matrix.
template <class Number>
__global__ void __launch_bounds__(256)
    hessenberg(int n, Matrices<const Number> matrices, Matrices<Number> hs, Matrices<Number> qs, Number* taus) {
  __shared__ Number shared_tau;
  const int lane = threadIdx.x % warp_size, warp = threadIdx.x / warp_size, warps = blockDim.x / warp_size;
  const Matrix<const Number> source = matrices[blockIdx.x];
  const Matrix<Number> h = hs[blockIdx.x], q = qs[blockIdx.x];
  for (int j = warp; j < n; j += warps)
    for (int i = lane; i < n; i += warp_size) {
      h(i, j) = source(i, j);
      if (i == 0 || j == 0) q(i, j) = from_real<Number>(i == j ? 1 : 0);
    }
  __syncthreads();

  for (int k = 0; k < n - 1; ++k) {
    const int first = k + 1, rest = n - first - 1;
    if (warp == 0) {
      const Number made = make_reflector(h(first, k), part(h, first + 1, k), rest);
      for (int i = first + 1 + lane; i < n; i += warp_size) {
        q(i, k + 1) = h(i, k);
        h(i, k) = Number{};
      }
      if (lane == 0) taus[k] = shared_tau = made;
    }
    __syncthreads();
    const Number tau = shared_tau;
    const Matrix<const Number> v = constant_part(q, first + 1, k + 1);
    // From the left, on the columns that are not finished, ...
    for (int j = first + warp; j < n; j += warps)
      reflect(conjugate(tau), v, false, h(first, j), part(h, first + 1, j), rest);
    __syncthreads();
    // ... and from the right, on all rows.
    const Matrix<Number> rows{h.first, h.column_step, h.row_step};
    for (int i = warp; i < n; i += warps) reflect(tau, v, true, rows(first, i), part(rows, first + 1, i), rest);
    __syncthreads();
  }
}

template __global__ void hessenberg(int, Matrices<const float>, Matrices<float>, Matrices<float>, float*);
template __global__ void hessenberg(int, Matrices<const double>, Matrices<double>, Matrices<double>, double*);
template __global__ void hessenberg(int, Matrices<const float2>, Matrices<float2>, Matrices<float2>, float2*);
template __global__ void hessenberg(int, Matrices<const double2>, Matrices<double2>, Matrices<double2>, double2*);

}  // namespace stand_in::cusolver
