// Arrays in local memory: dynamic indices, several element widths, and an address passed to a function.
__device__ __noinline__ void rotate(int* array, int count, int by) {
  for (int k = 0; k < by; ++k) {
    const int first = array[0];
    for (int j = 1; j < count; ++j) array[j - 1] = array[j];
    array[count - 1] = first;
  }
}

extern "C" __global__ void local_arrays(const int* index, int* ints, double* doubles, unsigned char* bytes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int own[12];
  double other[7];
  unsigned char small[33];
  for (int k = 0; k < 12; ++k) own[k] = index[i] * k + i;
  for (int k = 0; k < 7; ++k) other[k] = 0.5 * k - i;
  for (int k = 0; k < 33; ++k) small[k] = (unsigned char)(k * k + i);
  own[(unsigned)index[i] % 12] += 1000;
  other[(unsigned)index[i] % 7] *= 3.0;
  rotate(own, 12, index[i] & 3);
  ints[i] = own[(unsigned)(index[i] >> 3) % 12] + own[11];
  doubles[i] = other[(unsigned)(index[i] >> 2) % 7] + other[i % 7];
  bytes[i] = small[(unsigned)index[i] % 33] ^ small[i % 33];
}
