#include "core/analysis/kernels/device_peaks.h"

#include <algorithm>

#include "core/analysis/kernels/data_sheet.h"

namespace warpwalk::analysis {
namespace {

constexpr double lanes_of_warp = 32;
constexpr double products_of_instruction = 16 * 8 * 16;  // multiply-adds of HMMA.16816
constexpr double hopper_tensor_flops = 4096;             // per SM and cycle, 16-bit elements
constexpr double hopper_tensor_clock = 1.83e9;

double number_of(const gpu::TextParameter& capability) {
  double number = 0;
  for (const char c : *capability)
    if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
  return number;  // 90 for "9.0"
}

DevicePeaks sheet_peaks(const DataSheet& sheet) {
  DevicePeaks peaks;
  peaks.sms = sheet.sms;
  peaks.bytes_per_second = 1e9 * sheet.gigabytes;
  peaks.document = sheet.document;
  for (std::size_t unit = 0; unit < math_units; ++unit)
    if (const double flops = sheet.peak(static_cast<MathUnit>(unit)); flops > 0)
      peaks.units[unit] = UnitPeak{0, 0, flops, "data_sheet"};
  return peaks;
}

}  // namespace

MathUnit DevicePeaks::present(MathUnit unit) const {
  if (!known() || find(unit) != nullptr) return unit;
  if (unit == MathUnit::f64_tensor) return MathUnit::f64;
  if (unit == MathUnit::tf32_tensor) return MathUnit::f32;
  return unit;
}

DevicePeaks device_peaks(const DeviceMatch& match, std::int64_t recorded_sms) {
  DevicePeaks peaks;
  if (match.how != DeviceMatch::How::described || !match.device) {
    const DataSheet* const sheet = find_data_sheet(match.recorded, recorded_sms);
    return sheet == nullptr ? peaks : sheet_peaks(*sheet);
  }
  const gpu::Device& device = *match.device;
  if (!device.sm_count || !device.sm_clock || !device.compute_capability || !device.memory_bandwidth) return peaks;
  peaks.sms = *device.sm_count;
  peaks.bytes_per_second = *device.memory_bandwidth;
  const double capability = number_of(device.compute_capability), clock = *device.sm_clock;
  const auto set = [&](MathUnit unit, double flops, double at_clock, std::string_view source) {
    if (flops <= 0) return;
    peaks.units[static_cast<std::size_t>(unit)] =
        UnitPeak{flops, at_clock, flops * static_cast<double>(peaks.sms) * at_clock, source};
  };
  if (device.fp32_lanes) set(MathUnit::f32, 2.0 * static_cast<double>(*device.fp32_lanes), clock, "lanes");
  if (device.fp64_lanes) set(MathUnit::f64, 2.0 * static_cast<double>(*device.fp64_lanes), clock, "lanes");
  const double schedulers = device.sub_partitions ? static_cast<double>(*device.sub_partitions) : 0;
  if (device.interval_half && *device.interval_half > 0)
    set(MathUnit::f16, schedulers * lanes_of_warp * 2 * 2 / *device.interval_half, clock, "half");
  double tensor = 0, tensor_clock = clock;
  std::string_view source = "tensor";
  if (device.interval_tensor && *device.interval_tensor > 0)
    tensor = schedulers * products_of_instruction * 2 / *device.interval_tensor;
  if (capability == 90) {
    tensor = hopper_tensor_flops;
    tensor_clock = std::min(clock, hopper_tensor_clock);
    source = "tensor_hopper";
  }
  set(MathUnit::f16_tensor, tensor, tensor_clock, source);
  if (capability >= 80) set(MathUnit::tf32_tensor, tensor / 2, tensor_clock, source);
  if (capability >= 89) set(MathUnit::f8_tensor, tensor * 2, tensor_clock, source);
  if (capability == 80) set(MathUnit::f64_tensor, 128, clock, "tensor_f64");
  if (capability == 90) set(MathUnit::f64_tensor, 256, clock, "tensor_f64");
  return peaks;
}

}  // namespace warpwalk::analysis
