#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/kernels/kernel_table.h"
#include "core/analysis/modules/code_place.h"

namespace warpwalk::analysis {

/// The columns of the table of kernels.
enum class KernelColumn : std::uint8_t {
  name,
  total,
  share,
  count,
  mean,
  min,
  max,
  grid,
  block,
  registers,
  shared,
  occupancy,
  tensor_cores,
  flops,  ///< achieved FLOP/s
  bytes,  ///< achieved bytes/s
  peak,   ///< share of the device's peak
  category,
};
constexpr std::size_t kernel_columns = static_cast<std::size_t>(KernelColumn::category) + 1;

/// "name", "total" ...: keys of the narration, [kernels_page.column].
std::string_view name_of(KernelColumn column);

struct TableOrder {
  KernelColumn column = KernelColumn::total;
  bool descending = true;
};

/// The rows that match the filter, in the order of a column: numbers of KernelTable::rows. Rows without a value come
/// last in both directions; equal rows keep the order of their totals. The filter is a part of the full name or of the
/// label, ignoring case (ASCII).
std::vector<std::uint32_t> ordered_rows(const Trace& trace, const KernelTable& table, const TableOrder& order,
                                        std::string_view filter = {});

/// The columns of the list of launches.
enum class LaunchColumn : std::uint8_t { start, duration, grid, stream, op, shapes, line };
constexpr std::size_t launch_columns = static_cast<std::size_t>(LaunchColumn::line) + 1;
std::string_view name_of(LaunchColumn column);

struct LaunchOrder {
  LaunchColumn column = LaunchColumn::start;
  bool descending = false;
};

/// The launches of a row, in the order of a column.
std::vector<SliceId> ordered_launches(const Trace& trace, const CodePlaces& places, std::span<const SliceId> launches,
                                      const LaunchOrder& order);

}  // namespace warpwalk::analysis
