#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "kernels/cuda/library.h"

namespace warpwalk::cuda {

/// The loaded libwarpwalk_cuda.so. It stays open until the program ends, because CUDA's runtime cannot be unloaded.
class CudaLibrary {
 public:
  /// Opens the library in `folder` (the program's folder) and makes GPU `ordinal` current. On failure, returns a
  /// one-line error message: the library is missing, or CUDA's message about the driver or the GPU.
  static base::Result<std::shared_ptr<const CudaLibrary>> open(const std::filesystem::path& folder, int ordinal = 0);

  const WarpwalkCudaLibrary& calls() const { return *calls_; }
  const WarpwalkCudaDevice& device() const { return device_; }
  int ordinal() const { return ordinal_; }

 private:
  const WarpwalkCudaLibrary* calls_ = nullptr;
  WarpwalkCudaDevice device_{};
  int ordinal_ = 0;
};

}  // namespace warpwalk::cuda
