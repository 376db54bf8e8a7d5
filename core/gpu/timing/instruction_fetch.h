#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/gpu/timing/cache_start.h"
#include "core/gpu/timing/resource.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Instruction caches of an SM: a small one in each sub-partition with a stream buffer that fetches the following
/// lines, and one for the SM, which asks L2. Lines have 128 bytes: eight instructions. Constants take the same way, in
/// lines of their own.
class InstructionFetch {
 public:
  /// `lines`: of the kernel's code. Code streams into each sub-partition at 2.2 cycles per instruction, for one warp as
  /// for one in each sub-partition (tests/cuda/microbench, fetch: 64 KB with 1 and 4 warps). If the launch starts warm,
  /// other kernels have taken a part of the SM's cache.
  InstructionFetch(const Timing& timing, std::uint64_t lines, CacheStart caches = CacheStart::cold);

  /// When a line is at the sub-partition; infinity if that is not known yet. Lines that L2 must send are appended to
  /// `wanted`.
  double ready(unsigned sub_partition, std::uint64_t line, double now, std::vector<std::uint64_t>& wanted);
  /// A line that was wanted has come.
  void arrived(std::uint64_t line, double at);

 private:
  struct Line {
    std::uint64_t number = ~std::uint64_t{0};
    double ready = 0;
    std::uint32_t last_use = 0;
  };
  /// When the sub-partition has a line that it asks the SM's cache for now.
  double from_l1(unsigned sub_partition, std::uint64_t line, double now, std::vector<std::uint64_t>& wanted);
  /// Fetches a line ahead, if there is such a line and the sub-partition does not have it.
  void ahead(unsigned sub_partition, std::uint64_t line, double now, std::vector<std::uint64_t>& wanted);
  void keep(std::vector<Line>& cache, std::uint64_t line, double ready);

  const Timing timing_;
  const std::uint64_t lines_;
  const bool warm_;
  const std::uint64_t depth_;  ///< lines that are fetched ahead
  std::vector<std::vector<Line>> l0_;
  std::unordered_map<std::uint64_t, double> l1_;  ///< infinity: wanted
  std::vector<std::uint64_t> l1_order_;           ///< lines of l1_ in the order of their arrival
  std::size_t oldest_ = 0;
  std::uint32_t clock_ = 0;
  std::vector<Resource> l1_ports_;  ///< by sub-partition
  Resource l2_port_;
};

}  // namespace warpwalk::gpu
