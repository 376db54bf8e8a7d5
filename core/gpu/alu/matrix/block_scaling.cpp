#include "core/gpu/alu/matrix/block_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwalk::gpu::alu {
namespace {

using Scale = ScaledFormat::Scale;

constexpr std::array<ScaledFormat, 7> scaled_formats_table = {{{"FP16", "FP16", Scale::none, 0},
                                                               {"BF16", "BF16", Scale::none, 0},
                                                               {"INT8", "INT8", Scale::f32, 0},
                                                               {"E4M3", "FP8 E4M3", Scale::f32, 0},
                                                               {"FP4", "FP4 E2M1", Scale::none, 0},
                                                               {"MXFP4", "FP4 E2M1", Scale::e8m0, 32},
                                                               {"NVFP4", "FP4 E2M1", Scale::e4m3, 16}}};

double largest_magnitude(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// `whole`: the scale of the vector, for NVFP4.
double scale_of(const ScaledFormat& format, std::span<const double> block, double whole) {
  const double most = largest_magnitude(block);
  const NumberFormat& element = number_format(format.element);
  switch (format.scale) {
    case Scale::none: return 1;
    case Scale::f32: return most == 0 ? 1 : kept(number_format("FP32"), most / largest(element));
    case Scale::e8m0:
      return most == 0 ? std::ldexp(1.0, -127)
                       : std::ldexp(1.0, std::clamp(std::ilogb(most) - std::ilogb(largest(element)), -127, 127));
    case Scale::e4m3: return kept(number_format("FP8 E4M3"), most / largest(element) / whole) * whole;
  }
  return 1;
}

}  // namespace

std::span<const ScaledFormat> scaled_formats() { return scaled_formats_table; }

ScaledVector quantised(const ScaledFormat& format, std::span<const double> values) {
  const NumberFormat& element = number_format(format.element);
  ScaledVector result;
  result.block = format.block > 0 ? format.block : std::max(1, static_cast<int>(values.size()));
  const double most = largest_magnitude(values);
  double whole = 1;
  if (format.scale == Scale::e4m3 && most > 0)
    whole = kept(number_format("FP32"), most / largest(element) / largest(number_format("FP8 E4M3")));
  const auto block = static_cast<std::size_t>(result.block);
  for (std::size_t from = 0; from < values.size(); from += block) {
    const std::span<const double> part = values.subspan(from, std::min(block, values.size() - from));
    const double scale = scale_of(format, part, whole);
    result.scales.push_back(scale);
    for (const double value : part) {
      // A block whose scale was rounded to zero holds zeros.
      result.codes.push_back(nearest(element, scale == 0 ? 0 : value / scale));
      result.values.push_back(value_of(element, result.codes.back()) * scale);
    }
  }
  result.bits = static_cast<int>(values.size()) * element.bits() +
                static_cast<int>(result.scales.size()) * format.block_scale_bits() +
                (format.scale == Scale::e4m3 ? 32 : 0);
  return result;
}

std::vector<double> running_sums(const NumberFormat& format, double term, std::size_t count) {
  std::vector<double> sums;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sums.push_back(sum = kept(format, sum + term));
  return sums;
}

}  // namespace warpwalk::gpu::alu
