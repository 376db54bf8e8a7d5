// Constant memory: scalars, a table indexed per lane, structures, and a generic pointer to it.
struct Tap {
  int offset;
  float weight;
  double gain;
  unsigned char flags[4];
};
__constant__ float scale = 0.75f;
__constant__ int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, -5, 3, -5, 8, 9, -7, 9, 3};
__constant__ Tap taps[3] = {
    {-1, 0.25f, 1.5, {1, 2, 3, 4}}, {0, 0.5f, -2.25, {5, 6, 7, 8}}, {1, 0.125f, 3.0, {9, 8, 7, 250}}};
__constant__ unsigned short narrow[5] = {1, 20, 300, 4000, 50000};
__constant__ long long wide[2] = {0x0123456789abcdefLL, -42};

extern "C" __global__ void constant_memory(const float* x, const int* pick, float* y, int* z, long long* w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  int flags = 0;
  for (int t = 0; t < 3; ++t) {
    const int j = i + taps[t].offset;
    if (j >= 0 && j < n) sum += x[j] * taps[t].weight + (float)taps[t].gain;
    flags += taps[t].flags[pick[i] & 3];
  }
  const int* any = pick[i] & 1 ? table : pick;  // one pointer, two state spaces
  y[i] = sum * scale;
  z[i] = table[pick[i] & 15] + flags + narrow[pick[i] % 5] + any[i & 15];
  w[i] = wide[i & 1] + table[0];
}
