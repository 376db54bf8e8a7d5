#include "core/ops/definitions/gpu_kernel.h"

#include <algorithm>

namespace warpwalk::ops {

std::vector<double> numbers_of(const Argument& argument, std::span<const std::string_view> texts) {
  if (const auto* const whole = std::get_if<std::int64_t>(&argument)) return {static_cast<double>(*whole)};
  if (const auto* const real = std::get_if<double>(&argument)) return {*real};
  if (const auto* const flag = std::get_if<bool>(&argument)) return {*flag ? 1.0 : 0.0};
  if (const auto* const sizes = std::get_if<Sizes>(&argument)) return {sizes->begin(), sizes->end()};
  if (const auto* const text = std::get_if<std::string>(&argument))
    return {static_cast<double>(std::ranges::find(texts, *text) - texts.begin())};
  return {};
}

}  // namespace warpwalk::ops
