#include "instrumentation/cuda/cuda_memory.h"

#include <fmt/format.h>

#include "core/ops/tensor/error.h"

namespace warpwalk::cuda {

void check(const char* error, std::string_view what) {
  if (error != nullptr) throw ops::OpError(fmt::format("{}: CUDA reports \"{}\"", what, error));
}

std::optional<std::uint64_t> CudaMemory::Driver::allocate(std::uint64_t bytes) {
  std::uint64_t address = 0;
  if (library_.calls().allocate(bytes, &address) != nullptr) return {};
  return address;
}

void CudaMemory::Driver::free(std::uint64_t address, std::uint64_t) {
  // The only possible error comes from earlier work; the next call reports it as well.
  library_.calls().free(address);
}

CudaMemory::CudaMemory(std::shared_ptr<const CudaLibrary> library, void* stream, ops::Observer* observer)
    : library_(std::move(library)), stream_(stream), driver_(*library_), allocator_(driver_, observer) {}

CudaMemory::~CudaMemory() = default;

void CudaMemory::read(std::uint64_t address, std::span<std::uint8_t> out) {
  if (out.empty()) return;
  check(library_->calls().copy_out(out.data(), address, out.size(), stream_), "copying from the GPU");
}

void CudaMemory::write(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  check(library_->calls().copy_in(address, bytes.data(), bytes.size(), stream_), "copying to the GPU");
}

}  // namespace warpwalk::cuda
