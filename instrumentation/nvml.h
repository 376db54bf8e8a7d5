#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::instrumentation {

/// A process that uses a GPU.
struct GpuProcess {
  std::uint32_t pid = 0;
  std::string name;                    ///< program name, truncated to 15 characters; empty if unknown
  std::optional<std::uint64_t> bytes;  ///< GPU memory in use; nullopt if NVML does not report it
};

/// One NVML reading of a GPU. Unsupported readings are nullopt.
struct GpuSample {
  std::string name;
  std::optional<std::uint32_t> busy_pct;         ///< percent of the last sampling period during which a kernel ran
  std::optional<std::uint32_t> memory_busy_pct;  ///< percent of it during which memory was read or written
  /// Bytes. memory_used includes the driver's reserved memory, so memory_used + memory_free == memory_total.
  std::optional<std::uint64_t> memory_used, memory_free, memory_total;
  std::optional<std::uint32_t> sm_clock_mhz, memory_clock_mhz;
  std::optional<std::uint32_t> power_mw, power_limit_mw;  ///< current draw and currently enforced limit
  std::optional<std::uint32_t> temperature_c;
  std::vector<GpuProcess> processes;  ///< processes with a compute context
};

/// The NVIDIA Management Library, loaded at run time.
class Nvml {
 public:
  /// On failure: one line.
  static base::Result<std::unique_ptr<Nvml>> open(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Samples all GPUs of the machine, in NVML's order. Takes a few milliseconds per GPU: do not call it once per frame.
  std::vector<GpuSample> sample() const;

 private:
  struct Functions;
  explicit Nvml(std::unique_ptr<Functions> functions);
  std::unique_ptr<Functions> functions_;
};

}  // namespace warpwalk::instrumentation
