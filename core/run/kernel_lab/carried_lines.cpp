#include "core/run/kernel_lab/carried_lines.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/run/kernel_lab/diagnostic.h"

namespace warpwalk::run {

std::vector<std::uint32_t> carried_lines(std::string_view before, std::string_view now) {
  const std::vector<std::string_view> old_lines = base::lines_of(before), new_lines = base::lines_of(now);
  const std::size_t common = std::min(old_lines.size(), new_lines.size());
  std::size_t head = 0, tail = 0;
  while (head < common && old_lines[head] == new_lines[head]) ++head;
  while (tail < common - head && old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;
  std::vector<std::uint32_t> carried(new_lines.size() + 1, 0);
  for (std::size_t i = 0; i < head; ++i) carried[i + 1] = static_cast<std::uint32_t>(i + 1);
  for (std::size_t i = 0; i < tail; ++i)
    carried[new_lines.size() - i] = static_cast<std::uint32_t>(old_lines.size() - i);
  return carried;
}

std::vector<std::uint32_t> differing_lines(std::string_view before, std::string_view now) {
  constexpr std::size_t max_cells = 1'000'000;  // few enough for every frame
  std::vector<std::string_view> a = base::lines_of(before), b = base::lines_of(now);
  for (std::vector<std::string_view>* const lines : {&a, &b})
    for (std::string_view& line : *lines) line = trimmed(line);
  std::vector<std::uint32_t> differing;
  if (a.size() * b.size() > max_cells) {
    const std::vector<std::uint32_t> carried = carried_lines(before, now);
    for (std::size_t i = 1; i < carried.size(); ++i)
      if (carried[i] == 0) differing.push_back(static_cast<std::uint32_t>(i));
    return differing;
  }
  // common[i][j]: the length of the longest common subsequence of the lines from i of `a` and from j of `b` on.
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> common((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      common[i * width + j] = a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                                           : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
  std::size_t i = 0;
  for (std::size_t j = 0; j < b.size();) {
    if (i < a.size() && a[i] == b[j]) {
      ++i;
      ++j;
    } else if (i < a.size() && common[(i + 1) * width + j] >= common[i * width + j + 1]) {
      ++i;
    } else {
      differing.push_back(static_cast<std::uint32_t>(++j));
    }
  }
  return differing;
}

}  // namespace warpwalk::run
