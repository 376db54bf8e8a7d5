#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/gpu/timing/resource.h"
#include "core/gpu/timing/timing.h"

namespace warpwalk::gpu {

/// Instruction caches of an SM: a small one in each sub-partition with a stream buffer that fetches the following
/// lines, and one for the SM, which asks L2. Lines have 128 bytes: eight instructions. Constants take the same way, in
/// lines of their own.
class InstructionFetch {
 public:
  /// `lines`: of the kernel's code.
  InstructionFetch(const Timing& timing, std::uint64_t lines);

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
  double from_l1(std::uint64_t line, double now, std::vector<std::uint64_t>& wanted);
  void keep(std::vector<Line>& cache, std::uint64_t line, double ready);

  const Timing timing_;
  const std::uint64_t lines_;
  std::vector<std::vector<Line>> l0_;
  std::unordered_map<std::uint64_t, double> l1_;  ///< infinity: wanted
  std::vector<std::uint64_t> l1_order_;           ///< lines of l1_ in the order of their arrival
  std::size_t oldest_ = 0;
  std::uint32_t clock_ = 0;
  Resource l1_port_, l2_port_;
};

}  // namespace warpwalk::gpu
