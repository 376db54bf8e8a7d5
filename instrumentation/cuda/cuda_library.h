#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "kernels/cuda/library.h"

namespace warpwalk::cuda {

/// libwarpwalk_cuda.so, opened. It stays open until the program ends: CUDA's runtime does not take being closed.
class CudaLibrary {
 public:
  /// Looks in `folder` (where the program lies), opens the library and makes GPU `ordinal` the current one. The error
  /// is one line: the library is missing, or what CUDA says of the driver or the GPU.
  static std::variant<std::shared_ptr<const CudaLibrary>, std::string> open(const std::filesystem::path& folder,
                                                                            int ordinal = 0);

  const WarpwalkCudaLibrary& calls() const { return *calls_; }
  const WarpwalkCudaDevice& device() const { return device_; }
  int ordinal() const { return ordinal_; }

 private:
  const WarpwalkCudaLibrary* calls_ = nullptr;
  WarpwalkCudaDevice device_{};
  int ordinal_ = 0;
};

}  // namespace warpwalk::cuda
