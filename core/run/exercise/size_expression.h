#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::run {

/// A number of an exercise's launch. Whole ones are exact up to 2^53.
struct SizeNumber {
  double value = 0;
  bool whole = true;
  friend bool operator==(const SizeNumber&, const SizeNumber&) = default;
};

/// The sizes of a launch by name, such as n = 1000.
using SizeNumbers = std::map<std::string, SizeNumber, std::less<>>;

/// The value of an expression: numbers, names of sizes, + - * / and parentheses, min(a, b), max(a, b). The quotient of
/// two whole numbers is rounded towards zero, as in C. On failure, returns one line without the expression's place:
/// what is wrong, and the sizes that are known.
base::Result<SizeNumber> evaluate(std::string_view expression, const SizeNumbers& sizes);

}  // namespace warpwalk::run
