#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/gpu/timing/calendar.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// The channels of the GPU's memory. Models each channel's data bus, the time it loses when it turns from reading to
/// writing and back, and accesses to rows that are not open. Refresh is part of `memory_efficiency`.
class Hbm {
 public:
  explicit Hbm(const Timing& timing);

  /// A read of sectors of a line that reaches the channel at `at`. Returns when the data leaves the channel, without
  /// the latency of an idle memory.
  double read(std::uint64_t channel, double at, int sectors, std::uint64_t line);
  void write(std::uint64_t channel, double at, int sectors);

  /// Takes time of a channel.
  void occupy(std::uint64_t channel, double at, double cycles) { buses_[channel].take(at, cycles); }

  std::uint64_t channels() const { return buses_.size(); }
  std::uint64_t sectors_read() const { return read_; }
  std::uint64_t sectors_written() const { return written_; }

 private:
  double cycles_per_sector_, turnaround_, row_miss_;
  std::uint64_t row_lines_;
  std::vector<std::array<std::uint64_t, 64>> rows_;  ///< by channel: the open row of each bank
  std::vector<bool> writing_;                        ///< by channel: its last transfer was a write
  std::vector<Calendar> buses_;
  std::vector<int> pending_writes_;  ///< by channel: sectors that wait until a batch is full
  int batch_ = 1;
  double refresh_interval_ = 1, refresh_ = 0;
  std::uint64_t read_ = 0, written_ = 0;
};

}  // namespace warpwalk::gpu
