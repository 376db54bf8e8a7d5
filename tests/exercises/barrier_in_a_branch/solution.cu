// One warp per segment: the lanes hold two times four consecutive elements, and the rest is shuffles. No barrier.
// launch: grid (n + 1023) / 1024, block 128
constexpr int segment = 256;
constexpr unsigned full_warp = 0xffffffff;

// The running maximum of 128 elements, four per lane; `before` is that of the elements before them.
__device__ float4 scan(float4 v, float before, int lane) {
  v.y = fmaxf(v.y, v.x);
  v.z = fmaxf(v.z, v.y);
  v.w = fmaxf(v.w, v.z);
  float largest = v.w;
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    largest = fmaxf(largest, __shfl_up_sync(full_warp, largest, distance));
  }
  float left = __shfl_up_sync(full_warp, largest, 1);
  if (lane > 0) before = fmaxf(before, left);
  return make_float4(fmaxf(v.x, before), fmaxf(v.y, before), fmaxf(v.z, before), fmaxf(v.w, before));
}

__device__ float4 load(const float* x, int i, int n) {
  if (i + 4 <= n) return *reinterpret_cast<const float4*>(x + i);
  return make_float4(i < n ? x[i] : 0.0f, i + 1 < n ? x[i + 1] : 0.0f, i + 2 < n ? x[i + 2] : 0.0f, 0.0f);
}

__device__ void store(float* y, int i, int n, float4 v) {
  if (i + 4 <= n) {
    *reinterpret_cast<float4*>(y + i) = v;
  } else {
    if (i < n) y[i] = v.x;
    if (i + 1 < n) y[i + 1] = v.y;
    if (i + 2 < n) y[i + 2] = v.z;
  }
}

__global__ void running_max(const float* __restrict__ x, float* __restrict__ y, int n) {
  int lane = threadIdx.x % 32;
  int low = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * segment + lane * 4, high = low + segment / 2;
  float4 a = load(x, low, n), b = load(x, high, n);
  a = scan(a, __int_as_float(0xff800000), lane);  // minus infinity
  b = scan(b, __shfl_sync(full_warp, a.w, 31), lane);
  store(y, low, n, a);
  store(y, high, n, b);
}
