// Correct: adjacent lanes write adjacent bytes of one word, which are different addresses.
extern "C" __global__ void bytes(const int* x, unsigned* y) {
  __shared__ __align__(4) unsigned char s[128];
  s[threadIdx.x] = (unsigned char)x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) y[threadIdx.x] = reinterpret_cast<unsigned*>(s)[threadIdx.x];
}
