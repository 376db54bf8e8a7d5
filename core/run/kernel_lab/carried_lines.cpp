#include "core/run/kernel_lab/carried_lines.h"

#include <algorithm>

#include "core/base/text.h"

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

}  // namespace warpwalk::run
