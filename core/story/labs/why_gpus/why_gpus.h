#pragma once

// Common to all parts of the lab "why-gpus": the settings, the records that it reads, and the pictures.
#include "core/records/lab_runs.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// The settings of the lab, with the measured times and the simulated runs that belong to them.
struct WhyGpus {
  static constexpr std::string_view name = "lab/why-gpus";
  static constexpr std::string_view measured_gpu = "h200";
  /// Descriptions of GPUs that differ in their number of SMs, ascending.
  static constexpr std::string_view parts[] = {"h200_2sm", "h200_8sm", "h200"};
  static constexpr int grids[] = {8, 64, 1024};  ///< blocks

  const SceneInput& input;
  ControlSet controls{input, name};
  std::vector<records::CoreTimes> series;         ///< of the chosen work, by size
  std::size_t at = 0;                             ///< the chosen one
  const records::CoreTimes* chain = nullptr;      ///< one dependent multiply-add
  std::vector<const records::CoreTimes*> chases;  ///< one dependent load, by size of the buffer
  std::string work;                               ///< "busy" or "saxpy"
  int grid = 0;                                   ///< blocks
  std::int64_t steps = 0, loads = 0;              ///< of the thread alone

  explicit WhyGpus(const SceneInput& in);

  std::string word(std::string_view key, const Narration::Values& values = {}) const;
  /// "1.7 times", "53 times".
  std::string times_text(double times) const;
  /// Whether there are times of processor cores.
  bool recorded() const { return chain != nullptr && !chases.empty() && series.size() > 2; }
  /// Whether there are simulated runs of the chosen grid.
  bool simulated() const { return cycles(parts[0], grid) > 0; }
  /// Nanoseconds of the chosen steps and loads, one after the other.
  double ns_alone(bool gpu) const;
  /// The smallest recorded number of elements from which on the GPU is faster than one core and all cores.
  double crossover() const;
  /// Simulated cycles of a grid of the chosen work; 0 without a record.
  double cycles(std::string_view gpu, int blocks) const;
  /// How many times as fast the largest GPU is as the smallest one.
  double speedup(int blocks) const;
  std::int64_t sms(std::string_view gpu) const;
};

/// Nanoseconds on all cores; on one core if only that time was recorded.
double all_cores_ns(const records::CoreTimes& times);
/// Nanoseconds on one core or on all, whichever is faster.
double best_cpu_ns(const records::CoreTimes& times);

/// "1.3 ns", "9.3 µs".
std::string span_text(double ns);

/// One thread alone on a core and on an SM: its instructions one after the other. `shown`: 0 to 1.
Panel alone_panel(const WhyGpus& lab, double shown);
Panel alone_table(const WhyGpus& lab);
/// How a CPU core and the GPU use their chip area.
Panel design_panel(const WhyGpus& lab);
/// The threads that a CPU core or an SM holds at once: a cell each, or one per warp.
Panel places_panel(const WhyGpus& lab, bool gpu);
/// Elements against time: one core, all cores, the GPU. `shown`: 0 to 1.
Panel work_panel(const WhyGpus& lab, double shown);
/// The times of the chosen size.
Panel work_table(const WhyGpus& lab);
/// SMs against simulated cycles, for grids of three sizes.
Panel sms_panel(const WhyGpus& lab);
Panel sms_table(const WhyGpus& lab);

}  // namespace warpwalk::story
