// The host has stored the addresses of its own functions. On the GPU, functions have other addresses.
typedef int (*Function)(int);

extern "C" __global__ void apply(const Function* functions, int* y) {
  const int i = threadIdx.x;
  y[i] = functions[i / 16](i);  // BUG: a host's address
}
