#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/kernels/device_peaks.h"
#include "core/analysis/kernels/kernel_category.h"
#include "core/analysis/kernels/work_amount.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// The least and the greatest value among the launches of a name; trace::absent if no launch recorded one.
struct Spread {
  std::int64_t least = trace::absent;
  std::int64_t most = trace::absent;

  bool known() const { return least != trace::absent; }
  bool varies() const { return least != most; }
  void add(std::int64_t value);
};

/// The shapes of a name's launches.
struct ShapeSpread {
  std::array<std::int32_t, 3> first{};  ///< of the first launch that recorded one; 0 if none did
  bool same = true;                     ///< all launches have this shape
  Spread count;                         ///< blocks of the grid, threads of the block

  void add(const std::array<std::int32_t, 3>& shape);
};

/// Work of the launches for which it is known, with their time.
struct WorkSum {
  double amount = 0;           ///< FLOPs or bytes
  std::int64_t time = 0;       ///< ns, of the launches whose amount is known
  std::uint64_t launches = 0;  ///< whose amount is known

  bool known() const { return launches > 0; }
  /// Adds the amount of a launch that took so many ns, if it is known.
  void add(const std::optional<double>& one, std::int64_t of_time);
  /// Per second; nullopt without amount or time.
  std::optional<double> rate() const;
};

/// All launches of one kernel name, or all copies or fills of one kind.
struct KernelRow {
  trace::StringId name = 0;
  std::string label;  ///< short; as in the outline
  trace::SliceKind kind = trace::SliceKind::kernel;
  std::uint64_t count = 0;
  std::uint64_t timed = 0;                   ///< launches whose time was recorded
  std::int64_t total = 0, min = 0, max = 0;  ///< ns, of the timed ones
  SliceId longest = no_slice;
  std::optional<double> share;  ///< of the time of all kernels, 0 to 1; none for copies and fills
  ShapeSpread grid, block;
  Spread registers;  ///< per thread
  Spread shared;     ///< bytes per block
  /// Theoretical, by CUDA's rules and the limits of the GPU, in percent; none if they are not known.
  std::optional<std::array<double, 2>> occupancy;  ///< least and greatest
  std::optional<double> occupancy_profiler;        ///< the profiler's estimate, the mean of the launches, percent
  TensorCoreName tensor_cores;
  WorkCategory category = WorkCategory::copy;
  WorkSum flops, bytes;
  WorkSum both_flops, both_bytes;  ///< of the launches for which both are known
  std::optional<MathUnit> unit;    ///< that limits it; none if unknown or if launches differ
  WorkRule rule = WorkRule::none;  ///< of the first launch with a rule
  bool rules_differ = false;
  std::uint64_t counted_elsewhere = 0;  ///< launches whose op's work counts for another kernel
  std::uint64_t fewer = 0;              ///< launches of convolutions that need fewer operations (WorkAmount::fewer)
  std::size_t first = 0, last = 0;      ///< its launches: KernelTable::launches[first .. last-1]

  bool is_kernel() const { return kind == trace::SliceKind::kernel; }
  std::optional<double> mean() const;  ///< ns
};

/// A share of a peak: of arithmetic or of DRAM bandwidth.
struct PeakShare {
  double share = 0;  ///< 1 is the peak
  bool memory = false;

  /// No kernel can do more: fewer operations were needed than counted, caches served a part of the traffic, or the
  /// recorded times or the peak are wrong.
  bool above() const { return share > 1; }
};

struct KernelTable {
  std::vector<KernelRow> rows;    ///< the longest total first
  std::vector<SliceId> launches;  ///< by row, then by start
  std::int64_t kernel_time = 0;   ///< ns, all kernels added
  std::uint64_t kernel_launches = 0;
  DeviceMatch device;
  DevicePeaks peaks;

  std::span<const SliceId> launches_of(const KernelRow& row) const {
    return std::span(launches).subspan(row.first, row.last - row.first);
  }
  /// The larger of the shares of the peak arithmetic rate and of the DRAM bandwidth that a kernel reached: its share of
  /// the roofline above it. None for copies, and if the peak or the work is not known; convolutions that need fewer
  /// operations than counted have no share of the arithmetic rate.
  std::optional<PeakShare> share_of_peak(const KernelRow& row) const;
};

/// The GPU whose limits hold for a trace's kernels: that of the longest kernel. Unknown if kernels ran on GPUs with
/// different names.
DeviceMatch kernel_device(const Trace& trace, std::span<const gpu::Device> known);

/// A trace's kernels, copies and fills by name. 200,000 launches take about 0.1 s.
KernelTable kernel_table(const Trace& trace, const DeviceMatch& device);

}  // namespace warpwalk::analysis
