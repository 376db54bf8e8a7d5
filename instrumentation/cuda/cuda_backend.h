#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "core/run/run_expression.h"
#include "instrumentation/cuda/cuda_memory.h"
#include "instrumentation/cuda/own_recording.h"

namespace warpwalk::cuda {

/// A real GPU as a backend of the tensor library: kernels of libwarpwalk_cuda.so on one stream of its own. One for a
/// process, made before anything of CUDA is called, and good for one walk (complete() ends the record of the GPU).
class CudaBackend : public run::GpuBackend {
 public:
  /// `folder`: where the program and libwarpwalk_cuda.so lie. The error is one line.
  static std::variant<std::unique_ptr<CudaBackend>, std::string> open(const std::filesystem::path& folder,
                                                                      int ordinal = 0);
  ~CudaBackend() override;
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  ops::Memory& memory(ops::Observer* observer) override;
  void launch(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) override;
  void synchronize() override;
  void complete(trace::Trace& trace) override;
  const CudaLibrary& library() const { return *library_; }
  void* stream() const { return stream_; }

 private:
  CudaBackend() = default;

  std::unique_ptr<OwnRecording> recording_;
  std::shared_ptr<const CudaLibrary> library_;
  void* stream_ = nullptr;
  std::unique_ptr<CudaMemory> memory_;
};

/// The addresses of what launch arguments point to, and pointers to their values in the order of the parameters.
class ArgumentValues {
 public:
  ArgumentValues(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands);
  void** pointers() { return pointers_.data(); }

 private:
  void add(std::uint64_t address);

  std::vector<std::vector<std::uint8_t>> values_;
  std::vector<void*> pointers_;
};

}  // namespace warpwalk::cuda
