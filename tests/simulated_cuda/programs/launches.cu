// Launches of kernels in all ways, large shared memory, wrong configurations, attributes of functions.
#include <vector>

#include "check.h"

namespace {

__global__ void index_of_all(int* out, int count) {
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  if (i < count) out[i] = i + 1;
}

// Reverses a block's part through dynamic shared memory.
__global__ void reverse(int* values) {
  extern __shared__ int shared[];
  const int i = threadIdx.x;
  shared[i] = values[blockIdx.x * blockDim.x + i];
  __syncthreads();
  values[blockIdx.x * blockDim.x + i] = shared[blockDim.x - 1 - i];
}

__global__ void __launch_bounds__(64) small_blocks(int* out) {
  if (threadIdx.x == 0) out[blockIdx.x] = blockDim.x;
}

__global__ void with_static(float* out) {
  __shared__ float shared[256];
  shared[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = shared[255 - threadIdx.x];
}

struct Large {
  int values[500];
};
__global__ void sum_of_parameter(const __grid_constant__ Large large, int* out) {
  int total = 0;
  for (const int value : large.values) total += value;
  *out = total;
}

__global__ void producer(int* values) {
  values[threadIdx.x] = threadIdx.x * 3;
  cudaTriggerProgrammaticLaunchCompletion();
}
// May start before the producer has ended, but reads what it wrote.
__global__ void consumer(const int* values, int* out) {
  cudaGridDependencySynchronize();
  out[threadIdx.x] = values[threadIdx.x] + 1;
}

__global__ void last_size(unsigned* out) {
  unsigned bytes;
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
  if (threadIdx.x == 0) *out = bytes;
}

std::vector<int> read(const int* device, int count) {
  std::vector<int> host(count);
  NEED(cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost));
  return host;
}

void ways(int* out) {
  constexpr int count = 2 * 3 * 2 * 4 * 2 * 3;
  index_of_all<<<dim3(2, 3, 2), dim3(4, 2, 3)>>>(out, count);
  SHOW(cudaGetLastError());
  bool good = true;
  int n = 0;
  for (const int value : read(out, count)) good = good && value == ++n;
  check(good, "every thread of a grid of 2x3x2 blocks of 4x2x3 has its own index");
  int some = 100;
  void* arguments[] = {&out, &some};
  NEED(cudaMemset(out, 0, 1024));
  SHOW(cudaLaunchKernel(reinterpret_cast<const void*>(&index_of_all), dim3(2), dim3(64), arguments, 0, nullptr));
  std::printf("values %d %d %d\n", read(out, 128)[0], read(out, 128)[99], read(out, 128)[100]);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  config.dynamicSmemBytes = 32 * sizeof(int);
  cudaLaunchAttribute attributes[1]{};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  config.attrs = attributes;
  config.numAttrs = 1;
  void* one[] = {&out};
  SHOW(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&reverse), one));
  std::printf("values %d %d\n", read(out, 32)[0], read(out, 32)[31]);
  SHOW(cudaLaunchKernelEx(&config, reverse, out));
  std::printf("values %d %d\n", read(out, 32)[0], read(out, 32)[31]);
  Large large{};
  for (int i = 0; i < 500; ++i) large.values[i] = i;
  sum_of_parameter<<<1, 1>>>(large, out);
  std::printf("sum of a parameter of 2000 bytes %d\n", read(out, 1)[0]);
  int* values = out + 1024;
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  producer<<<1, 128, 0, stream>>>(values);
  config.blockDim = dim3(128);
  config.dynamicSmemBytes = 0;
  config.stream = stream;
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  SHOW(cudaLaunchKernelEx(&config, consumer, static_cast<const int*>(values), out));
  SHOW(cudaStreamSynchronize(stream));
  std::printf("after the dependency %d %d\n", read(out, 128)[0], read(out, 128)[127]);
  NEED(cudaStreamDestroy(stream));
}

void shared_memory(int* out) {
  constexpr int large = 100 * 1024;
  auto* const bytes = reinterpret_cast<unsigned*>(out);
  last_size<<<1, 32, 48 * 1024>>>(bytes);
  SHOW(cudaGetLastError());
  std::printf("dynamic shared memory %d\n", read(out, 1)[0]);
  last_size<<<1, 32, large>>>(bytes);
  SHOW(cudaGetLastError());
  SHOW(cudaFuncSetAttribute(last_size, cudaFuncAttributeMaxDynamicSharedMemorySize, large));
  last_size<<<1, 32, large>>>(bytes);
  SHOW(cudaGetLastError());
  std::printf("dynamic shared memory %d\n", read(out, 1)[0]);
  last_size<<<1, 32, large + 1024>>>(bytes);
  SHOW(cudaGetLastError());
  SHOW(cudaFuncSetAttribute(last_size, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  last_size<<<1, 32, 227 * 1024>>>(bytes);
  SHOW(cudaGetLastError());
  std::printf("dynamic shared memory %d\n", read(out, 1)[0]);
  SHOW(cudaFuncSetAttribute(last_size, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024));
  SHOW(cudaFuncSetAttribute(last_size, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  SHOW(cudaFuncSetAttribute(last_size, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  SHOW(cudaFuncSetAttribute(last_size, static_cast<cudaFuncAttribute>(77), 1));
  SHOW(cudaFuncSetCacheConfig(last_size, cudaFuncCachePreferShared));
}

void wrong_configurations(int* out) {
  const struct {
    const char* what;
    dim3 grid, block;
    std::size_t shared;
  } cases[] = {
      {"no blocks", dim3(0), dim3(32), 0},
      {"no threads", dim3(1), dim3(0), 0},
      {"1025 threads", dim3(1), dim3(1025), 0},
      {"2 x 1024 threads", dim3(1), dim3(1024, 2), 0},
      {"65 threads in z", dim3(1), dim3(1, 1, 65), 0},
      {"65536 blocks in y", dim3(1, 65536), dim3(32), 0},
      {"2^31 blocks in x", dim3(1u << 31), dim3(32), 0},
      {"64 KiB of shared memory", dim3(1), dim3(32), 64 * 1024},
      {"1 GiB of shared memory", dim3(1), dim3(32), std::size_t{1} << 30},
  };
  for (const auto& c : cases) {
    index_of_all<<<c.grid, c.block, c.shared>>>(out, 0);
    std::printf("%s: %s", c.what, cudaGetErrorName(cudaPeekAtLastError()));
    std::printf(", %s\n", cudaGetErrorString(cudaGetLastError()));
  }
  small_blocks<<<2, 64>>>(out);
  SHOW(cudaGetLastError());
  small_blocks<<<2, 96>>>(out);
  SHOW(cudaGetLastError());
  static int not_a_kernel = 0;
  int count = 0;
  void* arguments[] = {&out, &count};
  SHOW(cudaLaunchKernel(nullptr, dim3(1), dim3(32), arguments, 0, nullptr));
  SHOW(cudaLaunchKernel(&not_a_kernel, dim3(1), dim3(32), arguments, 0, nullptr));
  SHOW(cudaDeviceSynchronize());
}

void print_function(const char* name, const void* function) {
  cudaFuncAttributes a{};
  NEED(cudaFuncGetAttributes(&a, function));
  std::printf("%s: static %zu, constant %zu, local %zu, threads %d, registers %s, ptx %d, binary %d, dynamic %d\n",
              name, a.sharedSizeBytes, a.constSizeBytes, a.localSizeBytes, a.maxThreadsPerBlock,
              a.numRegs > 0 && a.numRegs <= 255 ? "some" : "none", a.ptxVersion, a.binaryVersion,
              a.maxDynamicSharedSizeBytes);
}

}  // namespace

int main() {
  int* out = nullptr;
  NEED(cudaMalloc(&out, 1 << 16));
  ways(out);
  shared_memory(out);
  wrong_configurations(out);
  with_static<<<1, 256>>>(reinterpret_cast<float*>(out));
  SHOW(cudaDeviceSynchronize());
  print_function("index_of_all", reinterpret_cast<const void*>(&index_of_all));
  print_function("small_blocks", reinterpret_cast<const void*>(&small_blocks));
  print_function("with_static", reinterpret_cast<const void*>(&with_static));
  print_function("last_size", reinterpret_cast<const void*>(&last_size));
  cudaFuncAttributes attributes{};
  SHOW(cudaFuncGetAttributes(&attributes, static_cast<const void*>(nullptr)));
  const char* name = nullptr;
  SHOW(cudaFuncGetName(&name, reinterpret_cast<const void*>(&reverse)));
  std::printf("name of reverse is mangled: %s\n", name != nullptr && name[0] == '_' && name[1] == 'Z' ? "yes" : "no");
  NEED(cudaFree(out));
  return finish();
}
