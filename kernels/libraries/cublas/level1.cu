// Stand-ins for cuBLAS's operations on vectors.

namespace stand_in::cublas {

/// x = alpha * x. `alpha_at`, if it is not null, is alpha in device memory.
template <class Number>
__global__ void scale(long long n, Number alpha, const Number* alpha_at, Number* x, long long stride) {
  const Number factor = alpha_at != nullptr ? *alpha_at : alpha;
  const long long step = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    x[i * stride] = factor * x[i * stride];
}

template __global__ void scale<float>(long long, float, const float*, float*, long long);
template __global__ void scale<double>(long long, double, const double*, double*, long long);

}  // namespace stand_in::cublas
