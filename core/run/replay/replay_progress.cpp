#include "core/run/replay/replay_progress.h"

namespace warpwalk::run {

std::uint64_t blocks_of(const std::array<std::uint32_t, 3>& grid) { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }

HistoryProgress::HistoryProgress(const HistoryOptions& options, std::uint64_t blocks)
    : options_(options), blocks_(blocks) {}

gpu::SimulateOptions HistoryProgress::next(std::uint64_t blocks) {
  gpu::SimulateOptions how;
  how.threads = options_.threads;
  how.cancel = options_.cancel;
  if (options_.progress)
    how.progress = [this, before = begun_](std::uint64_t done, std::uint64_t) {
      options_.progress(before + done, blocks_);
    };
  begun_ += blocks;
  return how;
}

bool HistoryProgress::cancelled() const { return options_.cancel != nullptr && *options_.cancel; }

}  // namespace warpwalk::run
