#include "core/story/labs/numbers/numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/run/launch/generate.h"
#include "core/story/facts/launch/input_values.h"

namespace warpwalk::story {
namespace {

namespace alu = gpu::alu;

// digits * 10^power, correctly rounded.
double decimal(std::int64_t digits, std::int64_t power) {
  const std::string text = fmt::format("{}e{}", digits, power);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Whether an FP64 can hold digits * 10^power, for less than 1,000 digits: 10^power is 2^power * 5^power, and what is
// left of the number without its factors of two must be a whole one of at most 53 bits.
bool fits_fp64(std::int64_t digits, std::int64_t power) {
  auto odd = static_cast<std::uint64_t>(std::abs(digits));
  if (odd == 0) return true;
  for (std::int64_t i = 0; i > power; --i) {
    if (odd % 5 != 0) return false;
    odd /= 5;
  }
  odd >>= std::countr_zero(odd);
  for (std::int64_t i = 0; i < power; ++i) {
    odd *= 5;
    if (odd >> 53 != 0) return false;
  }
  return true;
}

// The first row of an input of the followed op; without a known one, an example of the same kind.
std::pair<std::vector<double>, bool> elements(const SceneInput& input) {
  const std::vector<InputValues> inputs = input_values(input.trace, input.walk);
  const bool known =
      !inputs.empty() && inputs.front().geometry.sizes.back() >= static_cast<std::int64_t>(number_vector_size);
  std::vector<double> values;
  for (std::size_t i = 0; i < number_vector_size; ++i)
    values.push_back(known ? inputs.front().at(0, static_cast<std::int64_t>(i))
                           : run::random_element(ops::DType::f32, 1, i));
  return {std::move(values), known};
}

}  // namespace

NumberLab::NumberLab(const SceneInput& in, const NumberStart& start) : input(in), controls(in, name), format(nullptr) {
  std::vector<std::string> names, scaled_names;
  for (const Format& one : alu::number_formats()) names.emplace_back(one.short_name);
  for (const alu::ScaledFormat& one : alu::scaled_formats()) scaled_names.emplace_back(one.name);
  chosen = controls.choice("format", std::move(names), start.format, "example");
  format = &alu::number_formats()[chosen];
  const std::int64_t digits = controls.slider("digits", steps_by(-999, 999, 1), 1, "example");
  const std::int64_t power = controls.slider("power", steps_by(-45, 40, 1), -1, "example");
  entered = decimal(digits, power);
  whole = fits_fp64(digits, power);
  rounded = alu::nearest(*format, entered);
  // Flipped bits count until another number or format is set.
  code = static_cast<double>((static_cast<std::int64_t>(chosen) * 2000 + digits + 1000) * 100 + power + 50);
  constexpr std::int64_t all = 0xffffffff;
  const auto high = static_cast<std::uint64_t>(controls.pointed("flips_high", all, 0));
  const auto low = static_cast<std::uint64_t>(controls.pointed("flips_low", all, 0));
  const bool counts = static_cast<double>(controls.pointed("flips_of", 1'000'000'000, 0)) == code;
  pattern = (rounded ^ (counts ? high << 32 | low : 0)) & format->patterns_mask();
  scaled = controls.choice("scaled", std::move(scaled_names), alu::scaled_formats().size() - 1, "example");
  outlier = controls.slider("outlier", steps_growing(1, 256), 8, "example");
  std::tie(vector, vector_of_walk) = elements(in);
  vector[number_outlier] *= static_cast<double>(outlier);
  const std::int64_t thousandths = controls.slider("term", steps_growing(1, 1000), 100, "example");
  term = alu::kept(alu::number_format("FP16"), decimal(thousandths, -3));
  terms = controls.slider("terms", steps_growing(16, 16384), 4096, "example");
  loss_scale = controls.slider("scale", steps_by(0, 32, 1), 0, "unscaled");
  constexpr int count = 256;
  for (int i = 0; i < count; ++i) gradients.push_back(std::exp2(-36 + 24.0 * i / (count - 1)));
}

std::vector<std::pair<std::string, double>> NumberLab::sets(std::uint64_t wanted) const {
  const std::uint64_t flips = wanted ^ rounded;
  const auto control = [](std::string_view part) { return fmt::format("{}.{}", name, part); };
  return {{control("flips_of"), code},
          {control("flips_high"), static_cast<double>(flips >> 32)},
          {control("flips_low"), static_cast<double>(flips & 0xffffffff)}};
}

std::string NumberLab::hex(std::uint64_t bits) const {
  return fmt::format("0x{:0{}x}", bits, (format->bits() + 3) / 4);
}

std::string_view NumberLab::kind_word() const {
  switch (alu::kind_of(*format, pattern)) {
    case alu::NumberKind::zero: return "zero";
    case alu::NumberKind::subnormal: return "subnormal";
    case alu::NumberKind::normal: return "normal";
    case alu::NumberKind::infinite: return "infinite";
    case alu::NumberKind::nan: return "nan";
  }
  return "";
}

std::string error_text(const NumberLab& lab, const NumberLab::Format& format, double kept) {
  if (lab.whole || format.name != "FP64" || !std::isfinite(kept)) return real_text(kept - lab.entered, 4);
  return "≤ " + real_text(alu::spacing_at(format, alu::nearest(format, kept)) / 2, 2);
}

double rms_error(const std::vector<double>& wanted, const std::vector<double>& got) {
  double sum = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) sum += (wanted[i] - got[i]) * (wanted[i] - got[i]);
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, wanted.size())));
}

LostGradients lost_gradients(const NumberLab& lab) {
  LostGradients lost;
  const NumberLab::Format& fp16 = alu::number_format("FP16");
  for (const double gradient : lab.gradients) {
    const alu::NumberKind kind =
        alu::kind_of(fp16, alu::nearest(fp16, std::ldexp(gradient, static_cast<int>(lab.loss_scale))));
    lost.zeros += kind == alu::NumberKind::zero;
    lost.subnormals += kind == alu::NumberKind::subnormal;
    lost.infinities += kind == alu::NumberKind::infinite;
  }
  return lost;
}

double bits_each(const gpu::alu::ScaledFormat& format, const gpu::alu::ScaledVector& vector) {
  const bool of_tensor = (format.scale == gpu::alu::ScaledFormat::Scale::f32 && format.block == 0) ||
                         format.scale == gpu::alu::ScaledFormat::Scale::e4m3;
  constexpr int fp32_bits = 32;
  return static_cast<double>(vector.bits - (of_tensor ? fp32_bits : 0)) / static_cast<double>(vector.values.size());
}

}  // namespace warpwalk::story
