// Lanes and whole warps that return early while the others continue with barriers, shuffles and votes.
extern "C" __global__ void early_return(const int* x, int* y, int n) {
  __shared__ int last[8];
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (warp == 2) return;  // a whole warp: the barrier below waits for the others
  const int v = x[blockIdx.x * blockDim.x + t];
  if (lane == 31) last[warp] = v;
  __syncthreads();
  const int before = warp == 0 || warp == 3 ? 0 : last[warp - 1];
  if (lane >= 24) return;  // part of every warp
  const unsigned mask = 0x00ffffff;
  const int from = __shfl_xor_sync(mask, v, 1);
  const unsigned odd = __ballot_sync(mask, v & 1);
  y[blockIdx.x * blockDim.x + t] = before + from * 2 + __popc(odd);
}
