// Functions that are not inlined: structures passed and returned by value, references, calls in divergent code.
struct Complex {
  double re, im;
};
struct Packet {
  char tag;
  short size;
  float values[3];
  long long id;
};
__device__ __noinline__ Complex multiply(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ __noinline__ Packet update(Packet p, int by) {
  p.tag = (char)(p.tag + by);
  p.size = (short)(p.size * by);
  p.values[by & 1] += by * 0.5f;
  p.id ^= (long long)by << 33;
  return p;
}
__device__ __noinline__ int divide(int a, int b, int& remainder) {
  remainder = a % b;
  return a / b;
}
__device__ __noinline__ bool is_odd(unsigned char v) { return v & 1; }

extern "C" __global__ void calls(const int* x, double* y, float* f, long long* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Complex c{1.0, 0.5};
  Packet p{(char)i, (short)(x[i] & 31), {0.25f, 1.0f, -2.0f}, x[i]};
  for (int k = 0; k < (x[i] & 7); ++k) {
    c = multiply(c, {0.5 * k, 1.0 - 0.125 * k});
    if (is_odd((unsigned char)(x[i] >> k))) p = update(p, k + 1);
  }
  int rest;
  const int quotient = divide(x[i], (i & 7) + 1, rest);
  y[2 * i] = c.re, y[2 * i + 1] = c.im;
  f[i] = p.values[0] + p.values[1] * p.values[2] + p.tag + p.size;
  z[i] = p.id + quotient * 1000000LL + rest;
}
