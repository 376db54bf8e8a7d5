// Managed memory: variables and allocations that host and device share, with prefetches, advice and attached streams.
#include <cstring>

#include "check.h"

namespace {

__managed__ int shared_counter = 5;
__managed__ float shared_table[32];

__global__ void fill_table(float factor) {
  shared_table[threadIdx.x] = factor * threadIdx.x;
  if (threadIdx.x == 0) shared_counter += 10;
}

__global__ void add(int* values, int count, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += by;
}

struct Node {
  int value;
  Node* next;
};

__global__ void sum_list(const Node* list, int* sum) {
  *sum = 0;
  for (; list != nullptr; list = list->next) *sum += list->value;
}

cudaError_t prefetch(const void* memory, std::size_t bytes, bool to_device, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  return cudaMemPrefetchAsync(memory, bytes, place, 0, stream);
#else
  return cudaMemPrefetchAsync(memory, bytes, to_device ? 0 : cudaCpuDeviceId, stream);
#endif
}

cudaError_t advise(const void* memory, std::size_t bytes, cudaMemoryAdvise advice, bool for_device) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = for_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  return cudaMemAdvise(memory, bytes, advice, place);
#else
  return cudaMemAdvise(memory, bytes, advice, for_device ? 0 : cudaCpuDeviceId);
#endif
}

void print_attribute(const char* what, cudaMemRangeAttribute attribute, const void* memory, std::size_t bytes) {
  int value = -100;
  const cudaError_t error = cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, bytes);
  std::printf("%s: %s %d\n", what, cudaGetErrorName(error), value);
  cudaGetLastError();
}

void variables() {
  std::printf("counter %d\n", shared_counter);
  shared_counter = 7;
  fill_table<<<1, 32>>>(0.5f);
  SHOW(cudaDeviceSynchronize());
  std::printf("counter %d, table %.1f %.1f\n", shared_counter, shared_table[1], shared_table[31]);
  void* address = nullptr;
  NEED(cudaGetSymbolAddress(&address, shared_counter));
  check(address == &shared_counter, "the symbol's address is the host's");
  int copied = 0;
  SHOW(cudaMemcpyFromSymbol(&copied, shared_counter, sizeof copied));
  std::printf("copied %d\n", copied);
}

void allocations() {
  constexpr int count = 10000;
  constexpr std::size_t bytes = count * sizeof(int);
  int* values = nullptr;
  SHOW(cudaMallocManaged(&values, bytes));
  SHOW(cudaMallocManaged(&values, 0));
  SHOW(cudaMallocManaged(&values, bytes, 77));
  NEED(cudaMallocManaged(&values, bytes, cudaMemAttachGlobal));
  cudaPointerAttributes attributes{};
  NEED(cudaPointerGetAttributes(&attributes, values));
  std::printf("type %d, device %d\n", attributes.type, attributes.device);
  check(attributes.devicePointer == values && attributes.hostPointer == values, "one address for both");
  for (int i = 0; i < count; ++i) values[i] = i;
  add<<<(count + 255) / 256, 256>>>(values, count, 1);
  SHOW(cudaDeviceSynchronize());
  std::printf("values %d %d\n", values[0], values[count - 1]);
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  SHOW(prefetch(values, bytes, true, stream));
  add<<<(count + 255) / 256, 256, 0, stream>>>(values, count, 1);
  SHOW(prefetch(values, bytes, false, stream));
  SHOW(cudaStreamSynchronize(stream));
  std::printf("values %d %d\n", values[0], values[count - 1]);
  print_attribute("last prefetch", cudaMemRangeAttributeLastPrefetchLocation, values, bytes);
  print_attribute("read mostly", cudaMemRangeAttributeReadMostly, values, bytes);
  SHOW(advise(values, bytes, cudaMemAdviseSetReadMostly, true));
  print_attribute("read mostly", cudaMemRangeAttributeReadMostly, values, bytes);
  SHOW(advise(values, bytes, cudaMemAdviseUnsetReadMostly, true));
  SHOW(advise(values, bytes, cudaMemAdviseSetPreferredLocation, true));
  print_attribute("preferred", cudaMemRangeAttributePreferredLocation, values, bytes);
  SHOW(advise(values, bytes, cudaMemAdviseSetPreferredLocation, false));
  print_attribute("preferred", cudaMemRangeAttributePreferredLocation, values, bytes);
  SHOW(advise(values, bytes, cudaMemAdviseUnsetPreferredLocation, true));
  SHOW(advise(values, bytes, cudaMemAdviseSetAccessedBy, true));
  print_attribute("accessed by", cudaMemRangeAttributeAccessedBy, values, bytes);
  SHOW(advise(values, bytes, static_cast<cudaMemoryAdvise>(99), true));
  SHOW(cudaMemset(values, 0, bytes));
  SHOW(cudaDeviceSynchronize());
  std::printf("values %d %d\n", values[0], values[count - 1]);
  SHOW(cudaStreamAttachMemAsync(stream, values, 0, cudaMemAttachSingle));
  SHOW(cudaStreamSynchronize(stream));
  add<<<(count + 255) / 256, 256, 0, stream>>>(values, count, 4);
  SHOW(cudaStreamSynchronize(stream));
  std::printf("values %d %d\n", values[0], values[count - 1]);
  int* device = nullptr;
  NEED(cudaMalloc(&device, bytes));
  SHOW(cudaMemcpy(device, values, bytes, cudaMemcpyDefault));
  SHOW(cudaStreamAttachMemAsync(stream, device, 0, cudaMemAttachSingle));
  NEED(cudaFree(device));
  NEED(cudaStreamDestroy(stream));
  SHOW(cudaFree(values));
}

void list() {
  Node* nodes = nullptr;
  int* sum = nullptr;
  NEED(cudaMallocManaged(&nodes, 100 * sizeof(Node)));
  NEED(cudaMallocManaged(&sum, sizeof *sum));
  for (int i = 0; i < 100; ++i) nodes[i] = {i, i < 99 ? &nodes[i + 1] : nullptr};
  sum_list<<<1, 1>>>(nodes, sum);
  SHOW(cudaDeviceSynchronize());
  std::printf("sum of the list %d\n", *sum);
  NEED(cudaFree(nodes));
  NEED(cudaFree(sum));
}

}  // namespace

int main() {
  variables();
  allocations();
  list();
  return finish();
}
