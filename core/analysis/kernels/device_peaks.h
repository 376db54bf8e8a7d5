#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/analysis/device_match.h"
#include "core/analysis/kernels/tensor_cores.h"
#include "core/gpu/device/device.h"

namespace warpwalk::analysis {

/// The peak of one execution unit of a whole GPU: rate of an SM × SMs × clock, or as its data sheet gives it.
struct UnitPeak {
  double flops_per_cycle = 0;  ///< of one SM; a multiply-add counts as two; 0 if it is from a data sheet
  double clock = 0;            ///< Hz; 0 if it is from a data sheet
  double flops_per_second = 0;
  std::string_view source;  ///< a key of the narration, [kernels_page.peak]: where the rate comes from
};

/// What a GPU can do at most.
struct DevicePeaks {
  std::array<std::optional<UnitPeak>, math_units> units;  ///< by MathUnit
  std::optional<double> bytes_per_second;                 ///< of DRAM
  std::int64_t sms = 0;
  std::string_view document = {};  ///< the data sheet that all of them are from; empty: from a description

  const UnitPeak* find(MathUnit unit) const {
    const auto at = static_cast<std::size_t>(unit);
    return at < math_units && units[at] ? &*units[at] : nullptr;
  }
  /// The unit that computes what `unit` would on a GPU that has it: FP64 and TF32 without tensor cores for them.
  MathUnit present(MathUnit unit) const;
  bool known() const { return bytes_per_second.has_value(); }
};

/// Peaks of a GPU. Of a described one:
///
/// - FP32, FP64: lanes of an SM × 2.
/// - FP16 without tensor cores: two results per lane, by the interval of half-precision instructions.
/// - Tensor cores with 16-bit elements: 16·8·16 multiply-adds per instruction and its interval (interval_tensor). On
///   compute capability 9, warp group products are faster: 4,096 FLOP per SM and cycle at up to 1,830 MHz, as NVIDIA's
///   H100 whitepaper states for 989.4 TFLOP/s with 132 SMs.
/// - TF32: half of that, from 8.0 on. FP8: twice that, from 8.9 on (whitepapers of A100, Ada and H100).
/// - FP64 on tensor cores: 128 FLOP per SM and cycle on 8.0, 256 on 9.0 (whitepapers of A100 and H100).
///
/// A description that was adapted to another GPU of the same compute capability gives no peaks: clock and memory
/// bandwidth are not those of the GPU in the trace. A GPU without a description of its own has the peaks of its data
/// sheet, if its name and its number of SMs (trace::absent: not recorded) are those of one in data_sheets().
DevicePeaks device_peaks(const DeviceMatch& match, std::int64_t recorded_sms = trace::absent);

}  // namespace warpwalk::analysis
