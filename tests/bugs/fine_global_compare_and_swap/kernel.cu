// Correct: atomics made of compare-and-swap, whose first guess is a plain read, and a test before an atomic.
extern "C" __global__ void reduce(const float* x, double* sum, int* most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto* const bits = reinterpret_cast<unsigned long long*>(sum);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(__longlong_as_double(assumed) + x[i]));
  } while (assumed != old);
  const int value = static_cast<int>(x[i]) * 7 % 64;
  if (value > *most) atomicMax(most, value);
}
