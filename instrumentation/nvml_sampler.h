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

namespace warpwalk::instrumentation {

/// The part of a sample that is kept as history. Unsupported readings are nullopt.
struct GpuHistoryPoint {
  double at = 0;  ///< seconds since sampling began
  std::optional<std::uint32_t> busy_pct, memory_busy_pct, power_mw;
  std::optional<std::uint64_t> memory_used;
};

struct GpuHistory {
  GpuSample now;
  std::vector<GpuHistoryPoint> points;  ///< oldest first; the last point belongs to `now`
};

/// The samples taken so far. Holds either an error or GPUs, or neither before the first sample.
struct GpuSnapshot {
  std::string error;  ///< why nothing is sampled, one line
  double at = 0;      ///< time of the newest sample, seconds since sampling began
  std::vector<GpuHistory> gpus;
};

/// Polls NVML on its own thread. Its functions block on neither NVML nor the thread; only the destructor waits for a
/// sample in progress.
class NvmlSampler {
 public:
  struct Options {
    std::string library = "libnvidia-ml.so.1";
    std::chrono::milliseconds interval{250};  ///< between samples
    std::chrono::seconds history{60};         ///< length of the history
  };
  explicit NvmlSampler(Options options);
  ~NvmlSampler();
  NvmlSampler(const NvmlSampler&) = delete;
  NvmlSampler& operator=(const NvmlSampler&) = delete;

  /// Starts sampling. Does nothing if sampling is already running.
  void start();
  /// Stops sampling, shuts NVML down and clears the history.
  void stop();
  bool sampling() const;
  /// The samples since the start; never null. The object does not change after it is returned.
  std::shared_ptr<const GpuSnapshot> snapshot() const;
  const Options& options() const { return options_; }

 private:
  void work();
  void sample_until_stopped(std::uint64_t start);
  bool stopped(std::uint64_t start) const { return end_ || generation_ != start || !sampling_; }

  const Options options_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool sampling_ = false;
  bool end_ = false;
  std::uint64_t generation_ = 0;  // number of calls of start() that took effect
  std::shared_ptr<const GpuSnapshot> watch_ = std::make_shared<GpuSnapshot>();
  std::thread thread_;  // runs from the first start on
};

}  // namespace warpwalk::instrumentation
