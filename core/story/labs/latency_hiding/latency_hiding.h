#pragma once

// Common to all parts of the lab "latency-hiding": the settings, the records that it reads, and the pictures.
#include <algorithm>

#include "core/gpu/device/device.h"
#include "core/records/lab_runs.h"
#include "core/story/facts/simulated/warp_schedule.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// The settings of the lab, and the measured launches by their number of warps.
struct LatencyHiding {
  static constexpr std::string_view name = "lab/latency-hiding";
  static constexpr std::string_view gpu = "h200";
  static constexpr std::size_t cycles = 64;                   ///< that the picture of the scheduler shows
  static constexpr std::int64_t counts[] = {1, 2, 4, 8, 16};  ///< warps per scheduler of the measured launches

  /// A unit of the SM or the memory, for which warps wait: it takes a number of their instructions per cycle.
  struct Resource {
    std::string_view key;
    const gpu::IntParameter* latency = nullptr;
    double rate = 0;  ///< instructions of a warp per cycle and scheduler
    double needed() const;
    /// Warps that are enough if each has so many independent instructions in flight.
    std::int64_t warps(std::int64_t independent) const;
  };

  const SceneInput& input;
  ControlSet controls{input, name};
  const gpu::Device& device;
  WarpLoad load;

  explicit LatencyHiding(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// The measured launch of a kernel ("fma_chain") with so many warps per scheduler; null if there is none.
  const records::LabRun* run(std::string_view kernel, std::int64_t warps) const;
  bool recorded() const;

  std::int64_t enough() const { return enough_warps(load.independent, load.latency); }
  /// Warps per scheduler for which there are places.
  std::int64_t places() const { return *device.warps_per_sm / *device.sub_partitions; }
  std::vector<Resource> resources() const;
  /// Bytes per SM clock of GPU memory.
  double bandwidth() const { return *device.memory_bandwidth / *device.sm_clock; }
  /// Bytes that all SMs wait for if each lane waits for `loads` loads of 4 bytes.
  double in_flight(std::int64_t warps, std::int64_t loads) const {
    return static_cast<double>(*device.sm_count * *device.sub_partitions * warps * *device.threads_per_warp * loads *
                               4);
  }
  /// Bytes per SM clock that Little's law allows for so many bytes in flight.
  double allowed(double bytes) const {
    return std::min(bandwidth(), bytes / static_cast<double>(*device.latency_memory));
  }
};

/// The states of one scheduler's warps, cycle by cycle. `shown`: 0 to 1.
Panel schedule_panel(const LatencyHiding& lab, const WarpLoad& load, double shown);
/// Warps against the issue slots that they use, by Little's law.
Panel rate_chart(const LatencyHiding& lab);
/// Warps per scheduler against the share of the cycles in which an instruction is issued.
Panel issue_panel(const LatencyHiding& lab);
Panel issue_table(const LatencyHiding& lab);
/// Bytes in flight against bytes per cycle from GPU memory.
Panel memory_panel(const LatencyHiding& lab);
Panel memory_table(const LatencyHiding& lab);
/// Latency, rate, and what has to be in flight, for arithmetic and each level of the memory.
Panel law_panel(const LatencyHiding& lab);
/// The places of a scheduler, and those that warps with one instruction in flight have to fill to use a unit fully.
Panel places_panel(const LatencyHiding& lab, const LatencyHiding::Resource& resource);
/// The settings' rate and the warps that would be enough, for the tasks.
Panel rate_panel(const LatencyHiding& lab);

}  // namespace warpwalk::story
