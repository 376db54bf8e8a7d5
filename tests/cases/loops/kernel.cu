// Loops of unequal length with break, continue, two exits and an early return; unrolled and not unrolled.
extern "C" __global__ void loops(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
#pragma unroll 1
  for (int k = 0; k < (x[i] & 63); ++k) {
    if (k % 5 == 3) continue;
    if (sum > 700) break;
    int j = k;
    do {
      sum += j & 3;
      j -= 2;
      if (j == 21) goto out;
    } while (j > 0);
  }
out:
  y[i] = sum;
  if (x[i] % 7 == 0) return;
  unsigned c = (unsigned)x[i] + 1, length = 0;  // Collatz
#pragma unroll 1
  while (c != 1 && length < 60) {
    c = c & 1 ? 3 * c + 1 : c / 2;
    ++length;
  }
  y[i] = sum + 10000 * (int)length;
}
