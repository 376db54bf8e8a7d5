#pragma once

#include <cstdint>
#include <vector>

#include "core/gpu/timing/hbm.h"
#include "core/gpu/timing/memory_request.h"
#include "core/gpu/timing/resource.h"
#include "core/gpu/timing/sector_cache.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

struct L2Counters {
  std::uint64_t sectors = 0, hits = 0;  ///< sectors looked up, and those found
};

/// The L2 cache: slices in two partitions. Each line has a home slice, next to its memory channel. A request goes to
/// the partition of its SM first; a line with another home is fetched from there and kept in both, which is why a
/// stream of loads can use only two thirds of the capacity.
class L2 {
 public:
  L2(const Timing& timing, const Device& device);

  /// Serves a request that leaves its SM at request.time; requests must come in the order of that time. Returns when
  /// the response leaves L2.
  double serve(const MemoryRequest& request);
  /// Sends a response to its SM; responses must come in the order of `at`. Returns when it arrives.
  double return_to(std::uint16_t sm, double at, int sectors);

  /// Cycles from a request to its response if nothing is in the way: half of them before L2, half after.
  double least_latency() const;

  const L2Counters& counters() const { return counters_; }
  const Hbm& memory() const { return memory_; }

 private:
  std::uint64_t slice_of(std::uint64_t line) const;
  double port_cycles(const MemoryRequest& request, int sectors) const;
  SectorCache::Line& line_in(unsigned partition, std::uint64_t line, double at);
  void fetch(SectorCache::Line& line, std::uint64_t number, std::uint8_t sectors, double at, double& ready);

  const Timing timing_;
  std::vector<Resource> slices_;
  std::vector<SectorCache> partitions_;
  std::vector<std::uint8_t> gpc_of_sm_;
  std::vector<Resource> gpc_in_, gpc_out_;  ///< by GPC: data to it, and writes from it
  Resource link_;                           ///< between the partitions
  Hbm memory_;
  L2Counters counters_;
};

}  // namespace warpwalk::gpu
