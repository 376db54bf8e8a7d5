#pragma once

// This folder is the lab "occupancy". The computation of occupancy is in core/gpu/blocks.

#include "core/records/lab_runs.h"
#include "core/story/labs/lab_parts.h"

namespace warpwalk::story {

/// The launches of the lab "occupancy" in which every block reads a window of its own again and again, by the blocks
/// per SM: the same work in all of them, measured on an H200 and simulated.
class WindowRuns {
 public:
  static constexpr std::int64_t counts[] = {1, 2, 3, 4, 6, 8};  ///< blocks per SM, of 8 warps each
  static constexpr double window = 49152;                       ///< bytes that each block reads

  explicit WindowRuns(const SceneInput& input) : input_(input) {}

  /// Whether all of them were measured.
  bool recorded() const;
  /// Blocks per SM with the fewest measured cycles.
  std::int64_t fastest() const;
  /// Measured cycles; only of a recorded launch.
  double cycles(std::int64_t blocks) const;
  double l1_hits(std::int64_t blocks) const;  ///< measured, percent

  /// Blocks per SM against cycles, measured and simulated.
  Panel panel() const;
  /// Cycles, windows and L1 hits by blocks per SM.
  Panel table() const;

 private:
  const records::LabRun* run(std::int64_t blocks) const;
  std::string word(std::string_view key, const Narration::Values& values = {}) const;

  const SceneInput& input_;
};

}  // namespace warpwalk::story
