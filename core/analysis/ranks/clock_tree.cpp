#include "core/analysis/ranks/clock_tree.h"

#include <algorithm>
#include <numeric>

namespace warpwalk::analysis {
namespace {

std::size_t set_of(std::vector<std::size_t>& parents, std::size_t clock) {
  while (parents[clock] != clock) clock = parents[clock] = parents[parents[clock]];
  return clock;
}

}  // namespace

ClockLine composed(const ClockLine& outer, const ClockLine& inner) {
  return {outer.zero + (1 + outer.slope) * inner.zero, outer.slope + inner.slope + outer.slope * inner.slope};
}

ClockLine inverse(const ClockLine& line) { return {-line.zero / (1 + line.slope), -line.slope / (1 + line.slope)}; }

ClockTree clock_tree(std::size_t clocks, const std::vector<ClockLink>& links) {
  ClockTree tree;
  std::vector<std::size_t> order(links.size()), parents(clocks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t link) { return links[link].points; });
  std::vector<std::vector<std::size_t>> around(clocks);
  for (const std::size_t link : order) {
    const std::size_t a = set_of(parents, links[link].from), b = set_of(parents, links[link].to);
    if (a == b) continue;
    parents[a] = b;
    tree.used.push_back(link);
    around[links[link].from].push_back(link);
    around[links[link].to].push_back(link);
  }
  tree.root.assign(clocks, clocks);
  tree.to_root.resize(clocks);
  std::vector<std::size_t> next;
  for (std::size_t root = 0; root < clocks; ++root) {
    if (tree.root[root] != clocks) continue;
    tree.root[root] = root;
    next.push_back(root);
    while (!next.empty()) {
      const std::size_t clock = next.back();
      next.pop_back();
      for (const std::size_t link : around[clock]) {
        const bool forward = links[link].to == clock;
        const std::size_t other = forward ? links[link].from : links[link].to;
        if (tree.root[other] != clocks) continue;
        tree.root[other] = root;
        tree.to_root[other] = composed(tree.to_root[clock], forward ? links[link].line : inverse(links[link].line));
        next.push_back(other);
      }
    }
  }
  return tree;
}

}  // namespace warpwalk::analysis
