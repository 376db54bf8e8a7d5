#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/expression_parts.h"

namespace warpwalk::ops {
namespace {

/// Levenshtein's distance: letters to change, add or leave out.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

struct Otherwise {
  std::string_view name, instead;
};
/// Functions that people look for, and how an expression says the same.
constexpr std::array<Otherwise, 18> otherwise = {{
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
    {"pow", "a * a"},
    {"square", "a * a"},
    {"mean", "sum(a, 0) / n"},
    {"transpose", "a.T"},
    {"permute", "a.T"},
    {"reciprocal", "1 / a"},
    {"unsqueeze", "a[:, None]"},
    {"sigmoid", "1 / (1 + exp(-a))"},
}};

}  // namespace

const KnownFunction* find_function(std::string_view name) {
  const auto found = std::ranges::find(known_functions, name, &KnownFunction::name);
  return found == known_functions.end() ? nullptr : found;
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& words) {
  std::string_view best;
  std::size_t least = std::min<std::size_t>(3, (word.size() + 1) / 2);
  for (const std::string_view candidate : words)
    if (const std::size_t d = distance(word.substr(0, 32), candidate); d < least) {
      least = d;
      best = candidate;
    }
  return best;
}

std::string instead_of(std::string_view unknown) {
  if (const auto found = std::ranges::find(otherwise, unknown, &Otherwise::name); found != otherwise.end())
    return fmt::format("write {}", found->instead);
  std::vector<std::string_view> names;
  for (const KnownFunction& function : known_functions) names.push_back(function.name);
  if (const std::string_view near = nearest(unknown, names); !near.empty()) return fmt::format("{} is known", near);
  return fmt::format("known are {}; for a product write * or @", fmt::join(names, " "));
}

}  // namespace warpwalk::ops
