#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/run/replay/history_result.h"

namespace warpwalk::run {

/// How far the launches of one history are, for HistoryOptions::progress.
class HistoryProgress {
 public:
  /// `blocks`: of all launches together.
  HistoryProgress(const HistoryOptions& options, std::uint64_t blocks);
  /// How to simulate the next launch: its blocks count on from those of the launches before it.
  gpu::SimulateOptions next(std::uint64_t blocks);
  bool cancelled() const;

 private:
  const HistoryOptions& options_;
  const std::uint64_t blocks_;
  std::uint64_t begun_ = 0;  // blocks of the launches up to the current one
};

/// Of a grid, three sizes.
std::uint64_t blocks_of(const std::array<std::uint32_t, 3>& grid);

inline constexpr std::string_view cancelled_reason = "cancelled";

}  // namespace warpwalk::run
