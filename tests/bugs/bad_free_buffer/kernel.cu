// A kernel frees memory that the host allocated with cudaMalloc.
extern "C" __global__ void consume(int* x, int* y) {
  const int i = threadIdx.x;
  y[i] = x[i];
  if (i == 31) free(x);  // BUG: only the host can free it
}
