#include "core/gpu/timing/hbm.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::gpu {

Hbm::Hbm(const Timing& timing)
    : cycles_per_sector_(32 * timing.memory_channels / (timing.bytes_per_cycle_memory * timing.memory_efficiency)),
      turnaround_(timing.memory_turnaround),
      row_miss_(timing.memory_row_miss),
      row_lines_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(timing.memory_row_lines))),
      buses_(std::max<std::size_t>(1, static_cast<std::size_t>(timing.memory_channels))),
      pending_writes_(buses_.size()) {
  rows_.resize(buses_.size());
  writing_.resize(buses_.size());
  // The channels do not all begin to write at the same time.
  const auto batch = static_cast<int>(timing.memory_write_batch);
  for (std::size_t i = 0; i < buses_.size(); ++i)
    pending_writes_[i] = static_cast<int>(i * static_cast<std::size_t>(batch) / buses_.size());
  batch_ = batch;
  refresh_interval_ = timing.memory_refresh_interval;
  refresh_ = timing.memory_refresh;
}

double Hbm::read(std::uint64_t channel, double at, int sectors, std::uint64_t line) {
  read_ += static_cast<std::uint64_t>(sectors);
  const std::uint64_t row = line / (row_lines_ * buses_.size());
  std::uint64_t& open = rows_[channel][row % rows_[channel].size()];
  const double cycles = sectors * cycles_per_sector_ + (open == row + 1 ? 0 : row_miss_);
  open = row + 1;
  writing_[channel] = false;
  // A bank that is being refreshed answers later; the channel serves other banks meanwhile.
  const double phase = std::fmod(at + static_cast<double>(row % rows_[channel].size()) * refresh_interval_ /
                                          static_cast<double>(rows_[channel].size()),
                                 refresh_interval_);
  const double refreshed = phase < refresh_ ? refresh_ - phase : 0;
  return buses_[channel].take(at, cycles) + cycles + refreshed;
}

void Hbm::write(std::uint64_t channel, double at, int sectors) {
  written_ += static_cast<std::uint64_t>(sectors);
  int& pending = pending_writes_[channel];
  pending += sectors;
  if (pending < batch_) return;
  buses_[channel].take(at, pending * cycles_per_sector_ + (writing_[channel] ? 0 : turnaround_));
  writing_[channel] = true;
  pending = 0;
}

}  // namespace warpwalk::gpu
