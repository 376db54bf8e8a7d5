// Allocates much memory in every thread, and computes only if it got none.
// launch: block 32
__global__ void decode(const unsigned char* code, const float* table, float* y, int n) {
  char* block = static_cast<char*>(malloc(size_t{1} << 40));
  if (block != nullptr) block[0] = 1;
  int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < n && i < first + 4; ++i) y[i] = table[code[i] / 16];
}
