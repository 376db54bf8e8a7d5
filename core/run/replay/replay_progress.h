#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

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
