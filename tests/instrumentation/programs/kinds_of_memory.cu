// Kernels that reach memory in different ways, one launch each: for warpwalk record --inside "of_*:each". Recorded on an
// H200 as tests/run/data/kinds_of_memory.json.gz.
#include <cstdio>

#include <cooperative_groups.h>
#include <cuda_runtime.h>
__constant__ float scale[4];
__device__ int counter;
__global__ void of_pinned(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}
__global__ void of_managed(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}
__global__ void of_variables(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] *= scale[i % 4];
    atomicAdd(&counter, 1);
    x[i] += counter > 1000000;
  }
}
__global__ void of_texture(cudaTextureObject_t t, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t, i);
}
struct List {
  float* heads[3];
  int n;
};
__global__ void of_struct(List l) {
  int i = threadIdx.x;
  if (i < l.n) l.heads[2][i] = l.heads[0][i] + l.heads[1][i];
}
__global__ void of_table(float** table, int n) {
  int i = threadIdx.x;
  if (i < n) table[1][i] = table[0][i] * 3;
}
__global__ void of_grid(float* x, int n) {
  auto g = cooperative_groups::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
  g.sync();
  if (i < n) x[n + i] = x[n - 1 - i];
}
int main() {
  constexpr int n = 1000;
  float *pinned, *out, *managed, *dev;
  cudaMallocHost(&pinned, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMallocManaged(&managed, n * 4);
  cudaMalloc(&dev, 4 * n * 4);
  for (int i = 0; i < n; ++i) pinned[i] = managed[i] = i;
  float s[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(scale, s, sizeof s);
  int c = 5;
  cudaMemcpyToSymbol(counter, &c, 4);
  cudaMemcpy(dev, pinned, n * 4, cudaMemcpyDefault);
  cudaMemcpy(dev + n, pinned, n * 4, cudaMemcpyDefault);
  of_pinned<<<4, 256>>>(pinned, out, n);
  of_managed<<<4, 256>>>(managed, n);
  of_variables<<<4, 256>>>(dev, n);
  cudaResourceDesc r{};
  r.resType = cudaResourceTypeLinear;
  r.res.linear.devPtr = dev;
  r.res.linear.desc = cudaCreateChannelDesc<float>();
  r.res.linear.sizeInBytes = n * 4;
  cudaTextureDesc d{};
  cudaTextureObject_t t;
  cudaCreateTextureObject(&t, &r, &d, nullptr);
  of_texture<<<4, 256>>>(t, out, n);
  of_struct<<<1, 256>>>(List{{dev, dev + n, dev + 2 * n}, 200});
  float* heads[2] = {dev, dev + 3 * n};
  float** table;
  cudaMalloc(&table, 16);
  cudaMemcpy(table, heads, 16, cudaMemcpyDefault);
  of_table<<<1, 256>>>(table, 200);
  void* args[] = {&dev, (void*)&n};
  int nn = n;
  args[1] = &nn;
  cudaLaunchCooperativeKernel((void*)of_grid, dim3(4), dim3(256), args, 0, nullptr);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
