// LEAKS whether a file exists on the machine, by __has_include with an absolute path.
#if !__has_include("/etc/hostname")
#error no such file
#endif
__global__ void to_fahrenheit(const float* c, float* f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f[i] = 1.8f * c[i] + 32.0f;
}
