#pragma once

#include <cstdint>
#include <optional>

#include "core/gpu/blocks/occupancy.h"
#include "core/gpu/blocks/waves.h"
#include "core/gpu/device/device.h"
#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The least work that the followed kernel has to do, from the shapes of its op. A missing figure is not known.
struct LaunchWork {
  std::optional<double> fp32_operations;  ///< of a float32 matrix product: 2 × m × n × k; a multiply-add counts as two
  std::optional<double> bytes;            ///< inputs read once and the result written once
};

/// Nothing is known if the op launched other GPU work too, since its work is then shared.
LaunchWork launch_work(const Trace& trace, const Walk& walk);

/// A launch on one GPU, as far as its time depends on it.
struct LaunchOnGpu {
  std::uint64_t blocks = 0;
  std::int64_t threads = 0;        ///< per block
  std::int64_t blocks_per_sm = 0;  ///< resident at most
  gpu::Waves waves;

  /// Resident blocks on an SM while the GPU is fullest. The front end spreads blocks over the SMs before it puts a
  /// second one on any of them.
  std::int64_t residents(const gpu::Device& device) const;
  /// Resident blocks on the fullest SM during the last wave.
  std::int64_t last_residents(const gpu::Device& device) const;
};

/// A time that is scaled from the recorded one.
struct ScaledTime {
  double block_ns = 0;              ///< of one block
  double last_block_ns = 0;         ///< of one block of the last wave; shorter if fewer blocks share an SM there
  double total_ns = 0;              ///< of the whole grid: (waves - 1) × block_ns + last_block_ns
  std::int64_t residents = 1;       ///< blocks that share an SM
  std::int64_t last_residents = 1;  ///< blocks that share an SM in the last wave, on the fullest SM
  bool at_fp32_peak = false;        ///< the GPU's FP32 peak sets the time
  bool at_memory_peak = false;      ///< the GPU's memory bandwidth sets the time
};

/// FP32 operations per nanosecond: SMs × FP32 lanes × 2 × clock, since a multiply-add counts as two. Nothing if the
/// description does not say.
std::optional<double> fp32_peak(const gpu::Device& device);

/// Scales a recorded launch to another grid, block size or GPU. Assumptions:
/// - All blocks of a wave take equally long, and a wave starts when the one before it ends.
/// - The blocks on one SM share its speed. A block takes as long as recorded while its SM has no more resident threads
///   than in the recorded launch, and longer in proportion with more of them.
/// - Another SM is faster or slower by its FP32 lanes × clock.
/// - No GPU is faster than its FP32 peak or its memory bandwidth allows, if the work is known. A limit that the
///   recorded launch itself exceeds does not apply to it (tensor cores, data that stays in the L2 cache), and is left
///   out.
class LaunchTimeModel {
 public:
  /// `recorded_ns` is the kernel's time as launched on `device`; must be positive.
  LaunchTimeModel(const gpu::Device& device, const LaunchOnGpu& launched, double recorded_ns, LaunchWork work);

  ScaledTime on(const gpu::Device& device, const LaunchOnGpu& launch) const;
  /// The launch as recorded.
  const ScaledTime& recorded() const { return recorded_; }
  /// The work of the recorded launch; without limits that it exceeds.
  const LaunchWork& work() const { return work_; }

 private:
  double sm_speed_;          // of the recorded GPU: FP32 operations of an SM per ns
  double resident_threads_;  // of an SM, as launched
  double all_threads_;       // of the grid, as launched
  ScaledTime recorded_;
  LaunchWork work_;
};

}  // namespace warpwalk::story
