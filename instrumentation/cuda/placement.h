#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/trace/records.h"
#include "instrumentation/cuda/cuda_driver.h"
#include "instrumentation/cuda/cuda_library.h"

namespace warpwalk::cuda {

/// Launches kernels of assets/ptx with the placement probe inserted (placement_probe.h), compiled by the driver.
class PlacementRun {
 public:
  PlacementRun(std::shared_ptr<const CudaLibrary> library, std::filesystem::path ptx_folder);

  struct Result {
    std::vector<trace::BlockPlacement> blocks;  ///< in block order; times in ns after the first block's start
    std::string entry;
    int registers = 0;         ///< per thread, including the probe
    std::int64_t span_ns = 0;  ///< from the first block's start to the last block's end
  };
  /// Runs the probed kernel, which has the same effect as the original, and waits for it. `arguments` points to the
  /// values of the kernel's own parameters. Throws ops::OpError.
  Result launch(const std::string& module, const std::string& entry, const std::array<std::uint32_t, 3>& grid,
                const std::array<std::uint32_t, 3>& block, std::uint32_t dynamic_shared_bytes, void* stream,
                std::vector<void*> arguments);

 private:
  const CudaDriver::Kernel& kernel(const std::string& module, const std::string& entry);

  std::shared_ptr<const CudaLibrary> library_;
  std::filesystem::path ptx_folder_;
  std::shared_ptr<const CudaDriver> driver_;
  std::map<std::string, std::unique_ptr<CudaDriver::Kernel>> kernels_;  // by entry
};

}  // namespace warpwalk::cuda
