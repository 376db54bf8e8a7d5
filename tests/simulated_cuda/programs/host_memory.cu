// Host memory that the device reaches: page-locked, mapped and registered; zero-copy kernels.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "check.h"

namespace {

__global__ void double_all(const int* in, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * 2;
}

__global__ void count_up(unsigned* counter) { atomicAdd_system(counter, 1); }

constexpr int count = 1000;
constexpr std::size_t bytes = count * sizeof(int);

bool doubled(const int* in, const int* out) {
  for (int i = 0; i < count; ++i)
    if (out[i] != in[i] * 2) return false;
  return true;
}

void print_kind(const char* what, const void* pointer) {
  cudaPointerAttributes attributes{};
  NEED(cudaPointerGetAttributes(&attributes, pointer));
  // Whether a device reaches ordinary host memory depends on the operating system.
  if (attributes.type == cudaMemoryTypeUnregistered) {
    std::printf("%s: unregistered\n", what);
    return;
  }
  std::printf("%s: type %d, device %d, host pointer %s, device pointer %s\n", what, attributes.type, attributes.device,
              attributes.hostPointer == pointer ? "same" : "other",
              attributes.devicePointer == nullptr   ? "none"
              : attributes.devicePointer == pointer ? "same"
                                                    : "other");
}

void page_locked() {
  int *in = nullptr, *out = nullptr, *on_device = nullptr;
  unsigned flags = 99;
  SHOW(cudaMallocHost(&in, bytes));
  SHOW(cudaHostAlloc(&out, bytes, cudaHostAllocMapped | cudaHostAllocPortable));
  SHOW(cudaHostGetFlags(&flags, in));
  std::printf("flags of cudaMallocHost %u\n", flags);
  SHOW(cudaHostGetFlags(&flags, out));
  std::printf("flags of cudaHostAlloc %u\n", flags);
  print_kind("page-locked", in);
  for (int i = 0; i < count; ++i) in[i] = i;
  std::memset(out, 0, bytes);
  SHOW(cudaHostGetDevicePointer(&on_device, out, 0));
  check(on_device == out, "host and device have one address");
  double_all<<<4, 256>>>(in, on_device, count);
  SHOW(cudaGetLastError());
  SHOW(cudaDeviceSynchronize());
  check(doubled(in, out), "the kernel read and wrote host memory");
  int* device = nullptr;
  NEED(cudaMalloc(&device, bytes));
  SHOW(cudaMemcpyAsync(device, out, bytes, cudaMemcpyHostToDevice, nullptr));
  SHOW(cudaMemcpyAsync(in, device, bytes, cudaMemcpyDeviceToHost, nullptr));
  SHOW(cudaDeviceSynchronize());
  std::printf("in[7] %d\n", in[7]);
  SHOW(cudaHostGetFlags(&flags, device));
  SHOW(cudaHostGetDevicePointer(&on_device, device, 0));
  SHOW(cudaFreeHost(device));
  SHOW(cudaFree(device));
  SHOW(cudaFreeHost(in + 1));
  SHOW(cudaFreeHost(in));
  SHOW(cudaFreeHost(out));
  SHOW(cudaFreeHost(nullptr));
  SHOW(cudaHostAlloc(&in, bytes, 0x100));
  SHOW(cudaHostAlloc(&in, bytes, cudaHostAllocWriteCombined | cudaHostAllocMapped));
  SHOW(cudaHostGetFlags(&flags, in));
  std::printf("flags of write-combined memory %u\n", flags);
  SHOW(cudaFreeHost(in));
}

void registered() {
  constexpr std::size_t page = 4096, size = 4 * page;
  int* const pages = static_cast<int*>(std::aligned_alloc(page, size));
  int *on_device = nullptr, *result = nullptr;
  unsigned flags = 99;
  for (int i = 0; i < count; ++i) pages[i] = 3 * i;
  SHOW(cudaHostGetFlags(&flags, pages));
  SHOW(cudaHostRegister(pages, size, cudaHostRegisterMapped));
  SHOW(cudaHostGetFlags(&flags, pages));
  std::printf("flags of registered memory %u\n", flags);
  SHOW(cudaHostRegister(pages, size, cudaHostRegisterDefault));
  print_kind("registered", pages);
  SHOW(cudaHostGetDevicePointer(&on_device, pages, 0));
  SHOW(cudaHostGetDevicePointer(&on_device, pages, 1));
  NEED(cudaHostGetDevicePointer(&on_device, pages, 0));
  NEED(cudaMallocHost(&result, bytes));
  double_all<<<4, 256>>>(on_device, result, count);
  SHOW(cudaDeviceSynchronize());
  check(doubled(pages, result), "the kernel read registered memory");
  SHOW(cudaHostUnregister(pages + 1));
  SHOW(cudaHostUnregister(pages));
  SHOW(cudaHostUnregister(pages));
  SHOW(cudaHostRegister(pages, 0, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(nullptr, size, cudaHostRegisterDefault));
  SHOW(cudaHostRegister(pages, size, cudaHostRegisterPortable));
  SHOW(cudaHostUnregister(pages));
  print_kind("no longer registered", pages);
  NEED(cudaFreeHost(result));
  std::free(pages);
}

void counted() {
  unsigned* counter = nullptr;
  NEED(cudaMallocHost(&counter, sizeof *counter));
  *counter = 5;
  count_up<<<10, 64>>>(counter);
  SHOW(cudaDeviceSynchronize());
  std::printf("counter %u\n", *counter);
  *counter = 0x01020304;
  SHOW(cudaMemset(counter, 0, 2));
  SHOW(cudaDeviceSynchronize());
  std::printf("half of it set to 0: %08x\n", *counter);
  NEED(cudaFreeHost(counter));
}

}  // namespace

int main() {
  page_locked();
  registered();
  counted();
  return finish();
}
