#include "core/story/facts/names/kernel_labels.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/story/facts/names/kernel_name.h"
#include "core/story/facts/names/names.h"

namespace warpwalk::story {
namespace {

using Arguments = std::vector<std::string_view>;

Arguments template_arguments(std::string_view name) {
  Arguments out;
  for (const auto& [from, to] : split_kernel_name(name).template_arguments) out.push_back(name.substr(from, to - from));
  return out;
}

// For each position, whether the lists differ there. A list that ends earlier differs from one that goes on.
std::vector<bool> differences(const std::vector<Arguments>& lists) {
  std::size_t longest = 0;
  for (const Arguments& list : lists) longest = std::max(longest, list.size());
  std::vector<bool> differ(longest, false);
  for (std::size_t i = 0; i < longest; ++i)
    differ[i] = std::ranges::any_of(lists, [&](const Arguments& list) {
      return (i < list.size()) != (i < lists[0].size()) || (i < list.size() && list[i] != lists[0][i]);
    });
  return differ;
}

// The arguments at the marked positions; one ellipsis for each run of the others.
std::string excerpt(const Arguments& arguments, const std::vector<bool>& marked) {
  if (arguments.empty()) return {};
  constexpr std::size_t max_argument = 24;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (marked[i])
      parts.push_back(shortened(arguments[i], max_argument));
    else if (i == 0 || marked[i - 1])
      parts.emplace_back("…");
  }
  return fmt::format("<{}>", fmt::join(parts, ", "));
}

}  // namespace

std::vector<std::string> kernel_labels(std::span<const std::string_view> names) {
  std::vector<std::string> labels;
  std::unordered_map<std::string, std::vector<std::size_t>> sharing;
  for (std::size_t i = 0; i < names.size(); ++i) {
    labels.push_back(short_kernel_name(names[i]));
    sharing[labels[i]].push_back(i);
  }
  for (const auto& [label, group] : sharing) {
    if (group.size() == 1) continue;
    std::vector<Arguments> lists;
    for (const std::size_t i : group) lists.push_back(template_arguments(names[i]));
    const std::vector<bool> differ = differences(lists);
    if (std::ranges::find(differ, true) == differ.end()) continue;  // overloads: their full names tell them apart
    for (std::size_t i = 0; i < group.size(); ++i) labels[group[i]] += excerpt(lists[i], differ);
  }
  return labels;
}

}  // namespace warpwalk::story
