#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/analysis/kernels/tensor_cores.h"

namespace warpwalk::analysis {

/// The peaks of a GPU without a description, as its vendor publishes them. They give shares of peaks and roofs; nothing
/// is simulated from them.
struct DataSheet {
  std::string_view names;  ///< as drivers report them, separated by "|"
  std::int64_t sms = 0;    ///< as the driver counts them: a part of a GPU, such as a MIG slice, has fewer
  /// By MathUnit: dense 10^12 FLOP/s at the boost clock; 0: not published, or the GPU has no such unit.
  std::array<double, math_units> tera_flops{};
  double gigabytes = 0;       ///< DRAM, 10^9 bytes per second
  std::string_view document;  ///< where the figures are published

  double peak(MathUnit unit) const {
    const auto at = static_cast<std::size_t>(unit);
    return at < math_units ? 1e12 * tera_flops[at] : 0;
  }
};

std::span<const DataSheet> data_sheets();

/// The data sheet of a GPU by its name in the trace (gpu::same_model) and its number of SMs, which may be
/// trace::absent. Null if there is none, or if several GPUs have this name.
const DataSheet* find_data_sheet(std::string_view name, std::int64_t sms);

}  // namespace warpwalk::analysis
