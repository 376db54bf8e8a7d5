#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/nvml.h"

namespace warpwalk::recording {

/// What is kept of a sample for as long as the watch reaches back. What the GPU does not tell is none.
struct GpuPoint {
  double at = 0;  ///< seconds since sampling began
  std::optional<std::uint32_t> busy_pct, memory_busy_pct, power_mw;
  std::optional<std::uint64_t> memory_used;
};

struct WatchedGpu {
  GpuSample now;
  std::vector<GpuPoint> past;  ///< oldest first; the last is that of `now`
};

/// What NVML has told so far. At one moment it holds an error, GPUs, or (before the first sample) neither.
struct GpuWatch {
  std::string error;  ///< why nothing is sampled, in one line
  double at = 0;      ///< of the newest sample, seconds since sampling began
  std::vector<WatchedGpu> gpus;
};

/// Asks NVML again and again, on a thread of its own. Its functions wait for neither NVML nor the thread; only the end
/// of the sampler waits for the sample that is under way.
class NvmlSampler {
 public:
  struct Options {
    std::string library = "libnvidia-ml.so.1";
    std::chrono::milliseconds interval{250};  ///< from one sample to the next
    std::chrono::seconds reach{60};           ///< how far back points are kept
  };
  explicit NvmlSampler(Options options);
  ~NvmlSampler();
  NvmlSampler(const NvmlSampler&) = delete;
  NvmlSampler& operator=(const NvmlSampler&) = delete;

  /// From now on it samples. Does nothing where it does so already.
  void start();
  /// No more samples, and NVML is shut down. What was seen is forgotten.
  void stop();
  bool sampling() const;
  /// What has been seen since the start; never null. What is pointed at does not change any more.
  std::shared_ptr<const GpuWatch> watch() const;
  const Options& options() const { return options_; }

 private:
  void work();
  void sample_while(std::uint64_t start);
  bool stopped(std::uint64_t start) const { return end_ || starts_ != start || !sampling_; }

  const Options options_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool sampling_ = false;
  bool end_ = false;
  std::uint64_t starts_ = 0;  // so many times it was started
  std::shared_ptr<const GpuWatch> watch_ = std::make_shared<GpuWatch>();
  std::thread thread_;  // from the first start on
};

}  // namespace warpwalk::recording
