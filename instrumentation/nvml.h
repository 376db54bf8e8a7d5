#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::recording {

/// A process on a GPU.
struct GpuProcess {
  std::uint32_t pid = 0;
  std::string name;                    ///< of the program, cut to 15 characters; empty where it cannot be known
  std::optional<std::uint64_t> bytes;  ///< of the GPU's memory; none where NVML does not know it
};

/// What one GPU does at a moment, as NVML tells it. What a GPU does not tell is none.
struct GpuSample {
  std::string name;
  std::optional<std::uint32_t> busy_pct;         ///< of the last sampling period in which a kernel ran
  std::optional<std::uint32_t> memory_busy_pct;  ///< the same in which memory was read or written
  /// Bytes; used counts what the driver keeps for itself too, so that used and free are the total.
  std::optional<std::uint64_t> memory_used, memory_free, memory_total;
  std::optional<std::uint32_t> sm_clock_mhz, memory_clock_mhz;
  std::optional<std::uint32_t> power_mw, power_limit_mw;  ///< drawn, and the most that is allowed now
  std::optional<std::uint32_t> temperature_c;
  std::vector<GpuProcess> processes;  ///< with compute contexts
};

/// NVIDIA's management library, found at run time.
class Nvml {
 public:
  /// `error` is set to one line where there is none, and null returned.
  static std::unique_ptr<Nvml> open(std::string& error, const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// All GPUs of the machine, in NVML's order. Takes some milliseconds a GPU: not for a frame.
  std::vector<GpuSample> sample() const;

 private:
  struct Functions;
  explicit Nvml(std::unique_ptr<Functions> functions);
  std::unique_ptr<Functions> functions_;
};

}  // namespace warpwalk::recording
