#pragma once

// This folder is the cuda backend of `warpwalk run`: kernels on a real GPU. Programs of others are recorded by
// instrumentation/inject.

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/run/expression/run_expression.h"
#include "instrumentation/cuda/cuda_memory.h"
#include "instrumentation/cuda/placement.h"
#include "instrumentation/cuda/self_recording.h"

namespace warpwalk::cuda {

/// A real GPU as a backend of the tensor library. Runs the kernels of libwarpwalk_cuda.so on its own stream. Create one
/// per process, before any CUDA call, and use it for one walk (complete() ends the GPU recording).
class CudaBackend : public run::GpuBackend {
 public:
  struct Options {
    std::filesystem::path libraries;   ///< folder of libwarpwalk_cuda.so and libwarpwalk_inject.so
    std::filesystem::path ptx_folder;  ///< assets/ptx, for the placement probe
    int ordinal = 0;                   ///< CUDA device ordinal
    bool record = true;                ///< record with CUPTI; only one profiler can be attached to a process
  };
  /// On failure, returns a one-line error message.
  static base::Result<std::unique_ptr<CudaBackend>> open(const Options& options);
  ~CudaBackend() override;
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  ops::Memory& memory(ops::Observer* observer) override;
  void launch(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands) override;
  void synchronize() override;
  void complete(trace::Trace& trace) override;
  void probe_placement(bool on) override { probing_ = on; }
  std::string compute_capability() const override;
  const CudaLibrary& library() const { return *library_; }
  void* stream() const { return stream_; }

 private:
  CudaBackend() = default;
  void add_placement(trace::Records& records) const;

  std::unique_ptr<SelfRecording> recording_;
  std::shared_ptr<const CudaLibrary> library_;
  void* stream_ = nullptr;
  std::unique_ptr<CudaMemory> memory_;
  std::filesystem::path ptx_folder_;
  bool probing_ = false;
  std::unique_ptr<PlacementRun> placement_;
  std::vector<PlacementRun::Result> placements_;  // one per probed launch, in order
};

/// The values of a launch's arguments, and pointers to them in parameter order. A tensor's value is its address.
class KernelArguments {
 public:
  KernelArguments(const run::PlannedLaunch& launch, std::span<const ops::Tensor> operands);
  const std::vector<void*>& pointers() const { return pointers_; }

 private:
  void add(std::uint64_t address);

  std::vector<std::vector<std::uint8_t>> values_;
  std::vector<void*> pointers_;
};

}  // namespace warpwalk::cuda
