#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/expression/parsing.h"

namespace warpwalk::ops {
namespace {

/// Letters to change, add, leave out or swap with their neighbour (the optimal string alignment distance).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1), below(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    below[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      below[j + 1] = std::min({row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, below[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        below[j + 1] = std::min(below[j + 1], above[j - 1] + 1);
    }
    above = std::exchange(row, below);
  }
  return row.back();
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

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

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words) {
  constexpr std::size_t max_letters = 32, max_wrong = 2;
  if (word.size() > max_letters) return {};
  std::string_view best;
  std::size_t least = std::min(max_wrong, word.size() / 2) + 1;
  for (const std::string_view candidate : words) {
    if (candidate.size() > max_letters) continue;
    const std::size_t wrong = distance(lower_case(word), lower_case(candidate));
    if (wrong >= least) continue;
    least = wrong;
    best = candidate;
  }
  return best;
}

std::string instead_of(std::string_view unknown) {
  std::vector<std::string_view> known, all;
  for (const ExpressionFunction& function : all_functions()) known.push_back(function.name);
  all = known;
  for (const Otherwise& other : otherwise) all.push_back(other.name);
  const std::string_view near = nearest(unknown, all);
  if (near.empty()) return fmt::format("known: {}; for a product write * or @", fmt::join(known, " "));
  if (const auto found = std::ranges::find(otherwise, near, &Otherwise::name); found != otherwise.end())
    return fmt::format("write {}", found->instead);
  return fmt::format("did you mean {}? Known: {}", near, fmt::join(known, " "));
}

}  // namespace warpwalk::ops
