// nvcc: -arch=sm_80
// Asynchronous copies of 4, 8 and 16 bytes that overlap with arithmetic, two stages, zero-filled at the end.
__device__ void copy(void* to, const void* from, int bytes, int present) {
  const unsigned at = (unsigned)__cvta_generic_to_shared(to);
  if (bytes == 16) asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(present));
  if (bytes == 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at), "l"(from), "r"(present));
  if (bytes == 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(present));
}

extern "C" __global__ void async_copies(const float* x, float* y, int tiles) {
  __shared__ __align__(16) float wide[2][256];
  __shared__ __align__(16) float narrow[2][192];
  const int t = threadIdx.x;  // 64 threads
  const auto fetch = [&](int tile) {
    copy(&wide[tile & 1][t * 4], x + tile * 256 + t * 4, 16, tile == tiles - 1 ? (t % 5) * 4 : 16);
    copy(&narrow[tile & 1][t * 2], x + tile * 256 + t * 2, 8, 8);
    copy(&narrow[tile & 1][128 + t], x + tile * 256 + t, 4, t & 1 ? 4 : 0);
    asm volatile("cp.async.commit_group;");
  };
  fetch(0);
  float sum = 0.0f;
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) {
      fetch(tile + 1);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_all;");
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += wide[tile & 1][(t * 7 + k * 61) & 255] * (k + 1);
    sum -= narrow[tile & 1][191 - t] + narrow[tile & 1][(t * 3) & 127];
    __syncthreads();
  }
  y[t] = sum;
}
