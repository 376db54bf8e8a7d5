// Correct: half of each warp returns. Votes and reductions leave it out, the tree begins at the number of lanes that are
// left, the scan asks for no lane before the first one, and the neighbour of the last lane is not used.
extern "C" __global__ void half_warps(const int* x, int* y) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane >= 16) return;
  const int value = x[warp * 16 + lane];
  int sum = value;
  for (int d = 8; d > 0; d /= 2) sum += __shfl_down_sync(0xffffu, sum, d);
  int scan = value;
  for (int d = 1; d < 16; d *= 2) {
    const int left = __shfl_up_sync(0xffffu, scan, d);
    if (lane >= d) scan += left;
  }
  const int next = __shfl_down_sync(0xffffu, value, 1);
  const unsigned large = __ballot_sync(0xffffffffu, value > 20);
  const int all = __reduce_add_sync(0xffffffffu, value) + __popc(__match_any_sync(0xffffffffu, value & 3));
  int* const mine = y + (warp * 16 + lane) * 4;
  mine[0] = lane == 0 ? sum : all;
  mine[1] = scan;
  mine[2] = lane < 15 ? next : 0;
  mine[3] = large;
}
