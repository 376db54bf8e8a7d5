#pragma once

#include <map>
#include <memory>

#include "core/ops/dispatch/caching_allocator.h"
#include "instrumentation/cuda/cuda_library.h"

namespace warpwalk::cuda {

/// GPU memory for tensors: PyTorch's caching allocator on top of cudaMalloc. Copies use the given stream, so they run
/// after the kernels that were launched on it.
class CudaMemory : public ops::Memory {
 public:
  CudaMemory(std::shared_ptr<const CudaLibrary> library, void* stream, ops::Observer* observer);
  ~CudaMemory() override;

  ops::DeviceKind device() const override { return ops::DeviceKind::cuda; }
  std::uint64_t allocate(std::uint64_t bytes) override { return allocator_.allocate(bytes); }
  void free(std::uint64_t address) override { allocator_.free(address); }
  void read(std::uint64_t address, std::span<std::uint8_t> out) override;
  void write(std::uint64_t address, std::span<const std::uint8_t> bytes) override;
  std::uint8_t* host(std::uint64_t) override { return nullptr; }
  const ops::CachingAllocator& allocator() const { return allocator_; }

 private:
  class Driver : public ops::SegmentSource {
   public:
    explicit Driver(const CudaLibrary& library) : library_(library) {}
    std::optional<std::uint64_t> allocate(std::uint64_t bytes) override;
    void free(std::uint64_t address, std::uint64_t bytes) override;

   private:
    const CudaLibrary& library_;
  };

  std::shared_ptr<const CudaLibrary> library_;
  void* stream_;
  Driver driver_;
  ops::CachingAllocator allocator_;
};

/// Throws ops::OpError with CUDA's message if `error` is not null. `what` names the operation: "copying to the GPU".
void check(const char* error, std::string_view what);

}  // namespace warpwalk::cuda
