#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace warpwalk::verbs {

/// Checks of an option's value, for CLI::Option::check(): return an empty text, or what is wrong in plain words.
using ValueCheck = std::function<std::string(const std::string&)>;

/// A number with its noun: "1 warp", "2,000 warps".
std::string counted(std::uint64_t number, std::string_view noun);

/// A whole number in this range, both included.
ValueCheck whole_number(std::uint64_t least, std::uint64_t most = ~std::uint64_t{0});
/// A number above 0.
ValueCheck number_above_zero();

}  // namespace warpwalk::verbs
