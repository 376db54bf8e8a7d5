// Gravity between bodies, one shared-memory tile of bodies at a time; rsqrtf is an approximation.
extern "C" __global__ void n_body(const float4* bodies, float4* force, int n) {
  __shared__ float4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const float4 own = i < n ? bodies[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int base = 0; base < n; base += 64) {
    tile[threadIdx.x] = base + threadIdx.x < n ? bodies[base + threadIdx.x] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 64; ++k) {
      const float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      const float strength = tile[k].w * inverse * inverse * inverse;
      fx += dx * strength, fy += dy * strength, fz += dz * strength;
    }
    __syncthreads();
  }
  if (i < n) force[i] = make_float4(fx, fy, fz, own.w);
}
