#pragma once

// The three ways to a history, which build_history() takes in this order, and what they share.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/run/replay/history.h"

namespace warpwalk::run {

/// Simulates the kernel again from its record, after the earlier kernels whose results it needs. On failure, returns a
/// one-line error: the data missing from the record, or the reason why the simulated GPU rejects the launch.
base::Result<std::shared_ptr<const History>> replayed_history(const trace::Trace& trace, trace::SliceId kernel,
                                                              const HistoryOptions& options);

/// Runs a launch that was recorded with its memory: the very machine code on the recorded contents. Compares the
/// memory after it with what the GPU left (History::digests). On failure, returns a one-line error with the reason.
base::Result<std::shared_ptr<const History>> recorded_history(const trace::Trace& trace,
                                                              const trace::KernelRecord& record,
                                                              const HistoryOptions& options);

/// Simulates warpwalk's own kernel for the op around a kernel, on the recorded shapes and types of the op's inputs and
/// random elements. If the op takes several launches, the history shows the one with the most threads; those before it
/// run first. `because` becomes History::stands_in_because. On failure, returns a one-line error with the reason.
base::Result<std::shared_ptr<const History>> stand_in_history(const trace::Trace& trace, trace::SliceId kernel,
                                                              const HistoryOptions& options, std::string because);

/// The progress of the launches of one history, for HistoryOptions::progress.
class HistoryProgress {
 public:
  /// `blocks`: total of all launches.
  HistoryProgress(const HistoryOptions& options, std::uint64_t blocks);
  /// Options for the next launch. Its block count continues from the previous launches.
  gpu::SimulateOptions next(std::uint64_t blocks);
  bool cancelled() const;

 private:
  const HistoryOptions& options_;
  const std::uint64_t blocks_;
  std::uint64_t begun_ = 0;  // blocks of the launches up to the current one
};

/// The number of blocks in a grid of three sizes.
std::uint64_t blocks_of(const std::array<std::uint32_t, 3>& grid);

inline constexpr std::string_view cancelled_reason = "cancelled";

}  // namespace warpwalk::run
