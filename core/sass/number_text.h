#pragma once

#include <cstdint>
#include <string>

namespace warpwalk::sass {

/// "0x1f", or "-0x1f" for a negative value.
std::string hex_text(std::int64_t value);
std::string hex_text_unsigned(std::uint64_t value);

/// A floating-point immediate as nvdisasm prints it: up to 20 significant digits, scientific from 1e9 on. Infinities,
/// NaNs and -0 end with a space: "+INF ", "-QNAN ", "-0.0 ".
std::string real_text(double value);

double f16_value(std::uint16_t bits);
double bf16_value(std::uint16_t bits);
double f32_value(std::uint32_t bits);
/// The double whose upper half is `bits` and whose lower half is zero.
double f64_value(std::uint32_t bits);

}  // namespace warpwalk::sass
