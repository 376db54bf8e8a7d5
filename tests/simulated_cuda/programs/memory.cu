// Memory of the device: allocations, pitched and 3D ones, attributes of pointers, memsets.
#include <vector>

#include "check.h"

namespace {

const char* type_name(cudaMemoryType type) {
  switch (type) {
    case cudaMemoryTypeUnregistered: return "unregistered";
    case cudaMemoryTypeHost: return "host";
    case cudaMemoryTypeDevice: return "device";
    case cudaMemoryTypeManaged: return "managed";
    default: return "other";
  }
}

void print_attributes(const char* what, const void* pointer) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
  // Whether a device reaches ordinary host memory depends on the operating system.
  if (attributes.type == cudaMemoryTypeUnregistered) {
    std::printf("%s: %s, unregistered\n", what, cudaGetErrorName(error));
    cudaGetLastError();
    return;
  }
  std::printf("%s: %s, %s, device %d, device pointer %s, host pointer %s\n", what, cudaGetErrorName(error),
              type_name(attributes.type), attributes.device,
              attributes.devicePointer == pointer   ? "same"
              : attributes.devicePointer == nullptr ? "none"
                                                    : "other",
              attributes.hostPointer == pointer   ? "same"
              : attributes.hostPointer == nullptr ? "none"
                                                  : "other");
  cudaGetLastError();
}

std::vector<unsigned char> bytes_of(const void* device, std::size_t bytes) {
  std::vector<unsigned char> host(bytes);
  NEED(cudaMemcpy(host.data(), device, bytes, cudaMemcpyDeviceToHost));
  return host;
}

unsigned sum(const std::vector<unsigned char>& bytes) {
  unsigned total = 0;
  for (const unsigned char byte : bytes) total += byte;
  return total;
}

void allocations() {
  void *a = nullptr, *b = nullptr, *none = &a;
  SHOW(cudaMalloc(&a, 1000));
  SHOW(cudaMalloc(&b, 1));
  check(reinterpret_cast<std::size_t>(a) % 256 == 0 && reinterpret_cast<std::size_t>(b) % 256 == 0, "aligned to 256");
  check(a != b, "different addresses");
  SHOW(cudaMalloc(&none, 0));
  check(none == nullptr, "0 bytes are at no address");
  SHOW(cudaMalloc(nullptr, 16));
  SHOW(cudaMalloc(&none, std::size_t{1} << 50));
  SHOW(cudaFree(nullptr));
  print_attributes("start", a);
  print_attributes("inside", static_cast<char*>(a) + 100);
  int local = 0;
  print_attributes("stack", &local);
  cudaPointerAttributes attributes{};
  SHOW(cudaPointerGetAttributes(&attributes, nullptr));
  std::printf("null is %s\n", type_name(attributes.type));
  SHOW(cudaFree(static_cast<char*>(a) + 4));
  SHOW(cudaFree(&local));
  SHOW(cudaFree(a));
  SHOW(cudaFree(a));
  SHOW(cudaFree(b));
  std::size_t free_before = 0, total = 0, free_during = 0, free_after = 0;
  NEED(cudaMemGetInfo(&free_before, &total));
  check(free_before <= total && free_before > 0, "free memory is at most all memory");
  constexpr std::size_t large = std::size_t{64} << 20;
  NEED(cudaMalloc(&a, large));
  NEED(cudaMemGetInfo(&free_during, &total));
  check(free_before - free_during >= large, "64 MiB fewer are free while they are allocated");
  NEED(cudaFree(a));
  NEED(cudaMemGetInfo(&free_after, &total));
  check(free_after > free_during, "and free again after it");
}

void pitched() {
  void* rows = nullptr;
  std::size_t pitch = 0;
  SHOW(cudaMallocPitch(&rows, &pitch, 100, 7));
  std::printf("pitch of 100 bytes: %zu\n", pitch);
  NEED(cudaMemset(rows, 0, pitch * 7));
  SHOW(cudaMemset2D(rows, pitch, 3, 100, 7));
  std::printf("sum %u\n", sum(bytes_of(rows, pitch * 7)));
  SHOW(cudaMemset2DAsync(static_cast<char*>(rows) + pitch, pitch, 1, 10, 2, nullptr));
  SHOW(cudaDeviceSynchronize());
  std::printf("sum %u\n", sum(bytes_of(rows, pitch * 7)));
  SHOW(cudaMemset2D(rows, 50, 3, 100, 7));
  SHOW(cudaMallocPitch(&rows, nullptr, 100, 7));
  SHOW(cudaFree(rows));
  for (const std::size_t width : {1, 513, 4000}) {
    NEED(cudaMallocPitch(&rows, &pitch, width, 2));
    std::printf("pitch of %zu bytes: %zu\n", width, pitch);
    NEED(cudaFree(rows));
  }
  cudaPitchedPtr box{};
  const cudaExtent extent = make_cudaExtent(20, 5, 4);
  SHOW(cudaMalloc3D(&box, extent));
  std::printf("3D: pitch %zu, width %zu, height %zu\n", box.pitch, box.xsize, box.ysize);
  NEED(cudaMemset(box.ptr, 0, box.pitch * 5 * 4));
  SHOW(cudaMemset3D(box, 2, extent));
  std::printf("sum %u\n", sum(bytes_of(box.ptr, box.pitch * 5 * 4)));
  SHOW(cudaMemset3DAsync(box, 9, make_cudaExtent(4, 3, 2), nullptr));
  SHOW(cudaStreamSynchronize(nullptr));
  std::printf("sum %u\n", sum(bytes_of(box.ptr, box.pitch * 5 * 4)));
  SHOW(cudaFree(box.ptr));
}

void memsets() {
  unsigned char* bytes = nullptr;
  NEED(cudaMalloc(&bytes, 4096));
  SHOW(cudaMemset(bytes, 0x1ff, 4096));
  std::printf("sum %u\n", sum(bytes_of(bytes, 4096)));
  SHOW(cudaMemset(bytes + 3, 0, 10));
  std::printf("sum %u\n", sum(bytes_of(bytes, 4096)));
  SHOW(cudaMemset(bytes, 1, 0));
  cudaStream_t stream = nullptr;
  NEED(cudaStreamCreate(&stream));
  SHOW(cudaMemsetAsync(bytes, 1, 2048, stream));
  SHOW(cudaMemsetAsync(bytes + 1024, 2, 2048, stream));
  SHOW(cudaStreamSynchronize(stream));
  std::printf("sum %u\n", sum(bytes_of(bytes, 4096)));
  SHOW(cudaMemset(nullptr, 0, 16));
  SHOW(cudaMemset(bytes, 0, std::size_t{1} << 40));
  NEED(cudaStreamDestroy(stream));
  NEED(cudaFree(bytes));
}

}  // namespace

int main() {
  NEED(cudaFree(nullptr));
  allocations();
  pitched();
  memsets();
  return finish();
}
