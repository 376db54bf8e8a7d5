// The edit distance of two words, one block per pair: the table's diagonals one by one, three of them in shared memory.
extern "C" __global__ void edit_distance(const unsigned char* words, int* distances, int length) {
  __shared__ unsigned char a[48], b[48];
  __shared__ short diagonals[3][49];
  const int t = threadIdx.x;  // 64 threads, words of up to 48 letters
  if (t < length) a[t] = words[blockIdx.x * 2 * length + t], b[t] = words[(blockIdx.x * 2 + 1) * length + t];
  __syncthreads();
  for (int d = 0; d <= 2 * length; ++d) {
    short* here = diagonals[d % 3];
    const short *before = diagonals[(d + 2) % 3], *before_that = diagonals[(d + 1) % 3];
    const int row = t, column = d - t;
    if (row <= length && column >= 0 && column <= length) {
      if (row == 0 || column == 0) {
        here[row] = (short)d;
      } else {
        const short change = before_that[row - 1] + (a[row - 1] != b[column - 1]);
        here[row] = min(change, (short)(min(before[row - 1], before[row]) + 1));
      }
    }
    __syncthreads();
  }
  if (t == 0) distances[blockIdx.x] = diagonals[2 * length % 3][length];
}
