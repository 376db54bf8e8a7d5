// nvcc: -Xcicc -O0
// A kernel compiled without optimisation: generic addresses, no inlining, every value copied through memory.
struct Point {
  float x, y;
  int hits;
};
__device__ float square(float v) { return v * v; }
__device__ void visit(Point* p, const float* at, int n) {
  for (int k = 0; k < n; ++k) {
    const float d = square(p->x - at[2 * k]) + square(p->y - at[2 * k + 1]);
    if (d < 0.5f) {
      p->hits++;
    } else if (d > 3.0f) {
      p->hits--;
    }
  }
}

extern "C" __global__ void unoptimised(const float* at, int* hits, float* sums, int n) {
  __shared__ float shared[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Point own;
  own.x = at[2 * i], own.y = at[2 * i + 1], own.hits = 0;
  visit(&own, at, n);
  hits[i] = own.hits;
  shared[threadIdx.x] = own.x;
  __syncthreads();
  float sum = 0.0f;
  int k = threadIdx.x;
  while (true) {
    sum += shared[k];
    k = k * 2 + 1;
    if (k >= 64) break;
  }
  const bool low = sum < 0.0f;
  sums[i] = low ? -sum : sum;
}
