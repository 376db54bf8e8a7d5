#include "core/base/nearest.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace warpwalk::base {
namespace {

std::string small_letters(std::string_view word) {
  std::string small(word);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return small;
}

// The optimal string alignment distance.
std::size_t letters_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last.back();
}

}  // namespace

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 64, most_wrong = 2, shortest_beginning = 3;
  if (word.empty() || word.size() > longest) return {};
  const std::string small = small_letters(word);
  std::string_view best, begins;
  std::size_t fewest = std::min(most_wrong, word.size() / 2) + 1;
  for (const std::string_view name : names) {
    if (name.size() > longest) continue;
    const std::string other = small_letters(name);
    if (begins.empty() && word.size() >= shortest_beginning && other.starts_with(small)) begins = name;
    if (const std::size_t wrong = letters_between(small, other); wrong < fewest) {
      fewest = wrong;
      best = name;
    }
  }
  return best.empty() ? begins : best;
}

}  // namespace warpwalk::base
