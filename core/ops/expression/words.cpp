#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/nearest.h"
#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

struct Otherwise {
  std::string_view name, instead;
};
/// Functions that people look for, and how an expression writes the same.
constexpr std::array<Otherwise, 16> otherwise = {{
    {"matmul", "a @ b"},
    {"mm", "a @ b"},
    {"bmm", "a @ b"},
    {"mv", "a @ b"},
    {"dot", "a @ b"},
    {"add", "a + b"},
    {"sub", "a - b"},
    {"mul", "a * b"},
    {"div", "a / b"},
    {"neg", "-a"},
    {"square", "a ** 2"},
    {"rsqrt", "1 / sqrt(a)"},
    {"transpose", "a.T"},
    {"permute", "a.T"},
    {"reciprocal", "1 / a"},
    {"unsqueeze", "a[:, None]"},
}};

}  // namespace

const ExpressionFunction* find_function(std::string_view name) {
  const auto found = std::ranges::find(all_functions(), name, &ExpressionFunction::name);
  return found == all_functions().end() ? nullptr : &*found;
}

bool is_keyword(std::string_view name) {
  static constexpr std::array<std::string_view, 32> keywords = {
      "and",  "as",     "assert",  "async", "await",    "break",  "class", "continue", "def",  "del",  "elif",
      "else", "except", "finally", "for",   "from",     "global", "if",    "import",   "in",   "is",   "lambda",
      "not",  "or",     "pass",    "raise", "nonlocal", "return", "try",   "while",    "with", "yield"};
  return std::ranges::find(keywords, name) != keywords.end();
}

std::string instead_of(std::string_view unknown) {
  std::vector<std::string_view> known, all;
  for (const ExpressionFunction& function : all_functions()) known.push_back(function.name);
  all = known;
  for (const Otherwise& other : otherwise) all.push_back(other.name);
  const std::string_view near = base::nearest_name(unknown, all);
  if (near.empty()) return fmt::format("known: {}; for a product write * or @", fmt::join(known, " "));
  if (const auto found = std::ranges::find(otherwise, near, &Otherwise::name); found != otherwise.end())
    return fmt::format("write {}", found->instead);
  return fmt::format("did you mean {}? Known: {}", near, fmt::join(known, " "));
}

}  // namespace warpwalk::ops
