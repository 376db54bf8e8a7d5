#include "core/gpu/timing/hbm.h"

#include <algorithm>

namespace warpwalk::gpu {

namespace {

/// Sectors that a channel collects before it turns to writing. A controller batches writes to turn less often.
constexpr int write_batch = 32;

}  // namespace

Hbm::Hbm(const Timing& timing)
    : cycles_per_sector_(32 * timing.memory_channels / (timing.bytes_per_cycle_memory * timing.memory_efficiency)),
      turnaround_(timing.memory_turnaround),
      buses_(std::max<std::size_t>(1, static_cast<std::size_t>(timing.memory_channels))),
      pending_writes_(buses_.size()) {}

double Hbm::read(std::uint64_t channel, double at, int sectors) {
  read_ += static_cast<std::uint64_t>(sectors);
  const double cycles = sectors * cycles_per_sector_;
  return buses_[channel].take(at, cycles) + cycles;
}

void Hbm::write(std::uint64_t channel, double at, int sectors) {
  written_ += static_cast<std::uint64_t>(sectors);
  int& pending = pending_writes_[channel];
  pending += sectors;
  if (pending < write_batch) return;
  buses_[channel].take(at, pending * cycles_per_sector_ + turnaround_);
  pending = 0;
}

}  // namespace warpwalk::gpu
