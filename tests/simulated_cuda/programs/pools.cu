// Stream-ordered allocation: pools, their attributes and limits.
#include <cstdint>

#include "check.h"

namespace {

__global__ void fill(int* values, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = value + i;
}

constexpr std::size_t megabyte = 1 << 20;

std::uint64_t number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t value = 0;
  NEED(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void print_use(const char* when, cudaMemPool_t pool) {
  const std::uint64_t used = number(pool, cudaMemPoolAttrUsedMemCurrent);
  const std::uint64_t reserved = number(pool, cudaMemPoolAttrReservedMemCurrent);
  std::printf("%s: used %llu, at most %llu, reserved %s\n", when, static_cast<unsigned long long>(used),
              static_cast<unsigned long long>(number(pool, cudaMemPoolAttrUsedMemHigh)),
              reserved == 0 ? "nothing" : (reserved >= used ? "at least that" : "less"));
}

void allocations(cudaStream_t stream) {
  constexpr int count = 1000;
  int *a = nullptr, *b = nullptr, host[2] = {};
  SHOW(cudaMallocAsync(&a, count * sizeof(int), stream));
  fill<<<4, 256, 0, stream>>>(a, count, 7);
  SHOW(cudaMemcpyAsync(host, a + count - 1, sizeof(int), cudaMemcpyDeviceToHost, stream));
  SHOW(cudaFreeAsync(a, stream));
  SHOW(cudaMallocAsync(&b, count * sizeof(int), stream));
  check(b == a, "freed and allocated in one stream: the same address");
  SHOW(cudaStreamSynchronize(stream));
  std::printf("last %d\n", host[0]);
  cudaPointerAttributes attributes{};
  NEED(cudaPointerGetAttributes(&attributes, b));
  std::printf("type %d, device %d\n", attributes.type, attributes.device);
  SHOW(cudaFree(b));
  int* none = host;
  SHOW(cudaMallocAsync(&none, 0, stream));
  check(none == nullptr, "0 bytes are at no address");
  SHOW(cudaFreeAsync(nullptr, stream));
  SHOW(cudaMallocAsync(&none, std::size_t{1} << 50, stream));
  SHOW(cudaFreeAsync(host, stream));
  int* plain = nullptr;
  NEED(cudaMalloc(&plain, 64));
  SHOW(cudaFreeAsync(plain, stream));
  SHOW(cudaStreamSynchronize(stream));
}

void default_pool(cudaStream_t stream) {
  cudaMemPool_t pool = nullptr, current = nullptr;
  SHOW(cudaDeviceGetDefaultMemPool(&pool, 0));
  SHOW(cudaDeviceGetMemPool(&current, 0));
  check(pool == current, "the default pool is the current one");
  std::printf("release threshold %llu\n",
              static_cast<unsigned long long>(number(pool, cudaMemPoolAttrReleaseThreshold)));
  for (const cudaMemPoolAttr attribute : {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
                                          cudaMemPoolReuseAllowInternalDependencies}) {
    int value = -1;
    NEED(cudaMemPoolGetAttribute(pool, attribute, &value));
    std::printf("reuse %d: %d\n", attribute, value);
  }
  NEED(cudaStreamSynchronize(stream));
  print_use("before", pool);
  std::uint64_t zero = 0, keep = UINT64_MAX;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &keep));
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  void* blocks[4] = {};
  for (int i = 0; i < 4; ++i) NEED(cudaMallocAsync(&blocks[i], (i + 1) * megabyte, stream));
  NEED(cudaStreamSynchronize(stream));
  print_use("four blocks", pool);
  for (int i = 0; i < 3; ++i) NEED(cudaFreeAsync(blocks[i], stream));
  NEED(cudaStreamSynchronize(stream));
  print_use("one block", pool);
  SHOW(cudaMemPoolTrimTo(pool, 0));
  print_use("trimmed", pool);
  NEED(cudaFreeAsync(blocks[3], stream));
  NEED(cudaStreamSynchronize(stream));
  print_use("none", pool);
  SHOW(cudaMemPoolTrimTo(pool, 0));
  print_use("trimmed", pool);
  keep = 0;
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  SHOW(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero));
  SHOW(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &zero));
  SHOW(cudaMemPoolDestroy(pool));
}

void own_pool(cudaStream_t stream) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool = nullptr, current = nullptr;
  SHOW(cudaMemPoolCreate(&pool, &properties));
  print_use("new pool", pool);
  void *a = nullptr, *b = nullptr;
  SHOW(cudaMallocFromPoolAsync(&a, 3 * megabyte, pool, stream));
  NEED(cudaStreamSynchronize(stream));
  print_use("3 MiB", pool);
  SHOW(cudaDeviceSetMemPool(0, pool));
  SHOW(cudaDeviceGetMemPool(&current, 0));
  check(current == pool, "it is the current one");
  SHOW(cudaMallocAsync(&b, megabyte, stream));
  NEED(cudaStreamSynchronize(stream));
  print_use("4 MiB", pool);
  cudaMemLocation here{};
  here.type = cudaMemLocationTypeDevice;
  here.id = 0;
  cudaMemAccessFlags flags{};
  SHOW(cudaMemPoolGetAccess(&flags, pool, &here));
  std::printf("access %d\n", flags);
  cudaMemAccessDesc access{};
  access.location = here;
  access.flags = cudaMemAccessFlagsProtReadWrite;
  SHOW(cudaMemPoolSetAccess(pool, &access, 1));
  access.flags = cudaMemAccessFlagsProtNone;
  SHOW(cudaMemPoolSetAccess(pool, &access, 1));
  SHOW(cudaFreeAsync(a, stream));
  SHOW(cudaFreeAsync(b, stream));
  NEED(cudaStreamSynchronize(stream));
  cudaMemPool_t usual = nullptr;
  NEED(cudaDeviceGetDefaultMemPool(&usual, 0));
  SHOW(cudaMemPoolDestroy(pool));
  SHOW(cudaDeviceGetMemPool(&current, 0));
  check(current == usual, "the default pool is the current one again");
  properties.maxSize = 2 * megabyte;
  SHOW(cudaMemPoolCreate(&pool, &properties));
  SHOW(cudaMallocFromPoolAsync(&a, std::size_t{256} << 20, pool, stream));
  SHOW(cudaMemPoolDestroy(pool));
  properties.location.type = cudaMemLocationTypeInvalid;
  SHOW(cudaMemPoolCreate(&pool, &properties));
}

// Memory freed in one stream and used in another after an event.
void across_streams(cudaStream_t first) {
  cudaStream_t second = nullptr;
  cudaEvent_t event = nullptr;
  int *values = nullptr, host = 0;
  NEED(cudaStreamCreate(&second));
  NEED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  NEED(cudaMallocAsync(&values, 4096, first));
  fill<<<4, 256, 0, first>>>(values, 1024, 1);
  NEED(cudaEventRecord(event, first));
  NEED(cudaStreamWaitEvent(second, event));
  fill<<<2, 256, 0, second>>>(values, 512, 100);
  NEED(cudaMemcpyAsync(&host, values + 511, sizeof host, cudaMemcpyDeviceToHost, second));
  SHOW(cudaFreeAsync(values, second));
  SHOW(cudaStreamSynchronize(second));
  std::printf("value %d\n", host);
  NEED(cudaEventDestroy(event));
  NEED(cudaStreamDestroy(second));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  allocations(stream);
  default_pool(stream);
  own_pool(stream);
  across_streams(stream);
  NEED(cudaStreamDestroy(stream));
  return finish();
}
