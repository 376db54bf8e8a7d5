// One warp per rod and 8 cells per thread in registers. Neighbors come from shuffles: no shared memory, no barrier.
// launch: grid (rods + 1) / 2, block 64
constexpr int cells = 256;
constexpr int own = 8;

__global__ void conduct(const float* x, float* y, int steps, int rods) {
  int rod = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (rod >= rods) return;  // whole warps
  const float4* from = reinterpret_cast<const float4*>(x + rod * cells) + lane * 2;
  float4 a = from[0], b = from[1];
  float c[own] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    float left = __shfl_up_sync(0xffffffff, c[own - 1], 1), right = __shfl_down_sync(0xffffffff, c[0], 1);
    float next[own];
    for (int k = 0; k < own; ++k) {
      next[k] = 0.25f * (k == 0 ? left : c[k - 1]) + 0.5f * c[k] + 0.25f * (k == own - 1 ? right : c[k + 1]);
    }
    if (lane == 0) next[0] = c[0];
    if (lane == 31) next[own - 1] = c[own - 1];
    for (int k = 0; k < own; ++k) c[k] = next[k];
  }
  float4* to = reinterpret_cast<float4*>(y + rod * cells) + lane * 2;
  to[0] = make_float4(c[0], c[1], c[2], c[3]);
  to[1] = make_float4(c[4], c[5], c[6], c[7]);
}
