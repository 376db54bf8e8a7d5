#include "core/ops/tensor/dtype.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "core/base/enum_names.h"

namespace warpwalk::ops {
namespace {

static_assert(std::endian::native == std::endian::little, "files and GPU memory are little-endian, like this machine");

struct Format {
  int fraction_bits;
  int exponent_bits;
};
constexpr Format half{10, 5};
constexpr Format brain{7, 8};

std::uint64_t narrow(double value, Format format) {
  const std::uint64_t sign =
      std::signbit(value) ? std::uint64_t{1} << (format.fraction_bits + format.exponent_bits) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << format.fraction_bits;
  if (std::isnan(value)) return sign | infinity | std::uint64_t{1} << (format.fraction_bits - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  const int least_exponent = 2 - (1 << (format.exponent_bits - 1));
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 1, least_exponent);
  // In units of the last place; nearbyint rounds ties to even. A subnormal's exponent field is 0, and a normal's
  // leading 1 counts into the field, as does a carry.
  const double places = std::nearbyint(std::ldexp(std::abs(value), format.fraction_bits - exponent));
  const std::uint64_t field = static_cast<std::uint64_t>(exponent - least_exponent) << format.fraction_bits;
  return sign | std::min(field + static_cast<std::uint64_t>(places), infinity);
}

double widen(std::uint64_t bits, Format format) {
  const int width = format.fraction_bits + format.exponent_bits;
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int maximum = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(bits >> format.fraction_bits) & maximum;
  double magnitude = 0;
  if (exponent == maximum)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else {
    const std::uint64_t places = exponent == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction_bits;
    const int bias = (1 << (format.exponent_bits - 1)) - 1;
    magnitude = std::ldexp(static_cast<double>(places), std::max(exponent, 1) - bias - format.fraction_bits);
  }
  return (bits >> width & 1) != 0 ? -magnitude : magnitude;
}

}  // namespace

std::string_view name_of(DType dtype) { return base::enum_name(dtype); }

std::optional<DType> dtype_of(std::string_view name) {
  for (const DType dtype : all_dtypes)
    if (name == name_of(dtype)) return dtype;
  return {};
}

std::size_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::i8:
    case DType::u8: return 1;
    case DType::f16:
    case DType::bf16:
    case DType::i16:
    case DType::u16: return 2;
    case DType::f32:
    case DType::i32:
    case DType::u32: return 4;
    default: return 8;
  }
}

bool is_float(DType dtype) { return dtype <= DType::f64; }
bool is_signed(DType dtype) { return dtype >= DType::i8 && dtype <= DType::i64; }

std::uint64_t float_bits(DType dtype, double value) {
  switch (dtype) {
    case DType::f16: return narrow(value, half);
    case DType::bf16: return narrow(value, brain);
    case DType::f32: {
      // The conversion of a value beyond the largest float is undefined, unless the float has infinity; it has.
      static_assert(std::numeric_limits<float>::is_iec559);
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    }
    default: return std::bit_cast<std::uint64_t>(value);
  }
}

double float_value(DType dtype, std::uint64_t bits) {
  switch (dtype) {
    case DType::f16: return widen(bits, half);
    case DType::bf16: return widen(bits, brain);
    case DType::f32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    default: return std::bit_cast<double>(bits);
  }
}

std::uint64_t load_bits(DType dtype, const std::uint8_t* element) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, element, bytes_of(dtype));
  return bits;
}

std::string text_of(DType dtype, std::uint64_t bits) {
  if (dtype == DType::f64) return fmt::format("{}", float_value(dtype, bits));
  if (is_float(dtype)) return fmt::format("{}", static_cast<float>(float_value(dtype, bits)));
  if (!is_signed(dtype)) return fmt::format("{}", bits);
  const int unused = 64 - 8 * static_cast<int>(bytes_of(dtype));
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace warpwalk::ops
