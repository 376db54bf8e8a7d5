#include "core/story/labs/collectives/tree.h"

#include <algorithm>
#include <numeric>

namespace warpwalk::story {
namespace {

// Adds the sends of one tree for the chunks from `first` to before `last`.
class TreeSends {
 public:
  TreeSends(CollectivePlan& plan, const TreeParents& tree) : plan_(plan), tree_(tree) {
    by_depth_.resize(tree.size());
    std::iota(by_depth_.begin(), by_depth_.end(), 0);
    std::ranges::stable_sort(by_depth_, {}, [&](int gpu) { return depth_in(tree, gpu); });
  }

  void add(int first, int last) {
    std::vector<int> sent_up(tree_.size(), 0), sent_down(tree_.size(), 0);  // the last step in which it did
    for (int chunk = first; chunk < last; ++chunk) {
      std::vector<int> summed(tree_.size(), 0);  // the step after which a GPU has the sum of all below it
      for (auto gpu = by_depth_.rbegin(); gpu != by_depth_.rend(); ++gpu)
        if (const int parent = tree_[at(*gpu)]; parent >= 0) {
          const int step = next(sent_up[at(*gpu)], summed[at(*gpu)]);
          send({step, *gpu, parent, chunk, chunk, true});
          summed[at(parent)] = std::max(summed[at(parent)], step);
        }
      // Parents come before their children; the root has the sum of all.
      std::vector<int>& has = summed;
      for (const int gpu : by_depth_)
        if (const int parent = tree_[at(gpu)]; parent >= 0) {
          const int step = next(sent_down[at(gpu)], has[at(parent)]);
          send({step, parent, gpu, chunk, chunk});
          has[at(gpu)] = step;
        }
    }
  }

 private:
  static std::size_t at(int gpu) { return static_cast<std::size_t>(gpu); }

  // The first step after that of the edge's last chunk and after the chunk is there.
  static int next(int& edge, int there) { return edge = std::max(edge, there) + 1; }

  void send(const CollectiveSend& one) {
    plan_.sends.push_back(one);
    plan_.steps = std::max(plan_.steps, one.step);
  }

  CollectivePlan& plan_;
  const TreeParents& tree_;
  std::vector<int> by_depth_;  // GPUs, the root first
};

}  // namespace

TreeParents binary_tree(int gpus, int number) {
  // The height of a GPU is the number of zeros at the end of its number, so every second GPU is a leaf.
  TreeParents first(static_cast<std::size_t>(gpus), -1);
  for (int gpu = 1; gpu < gpus; ++gpu) {
    const int lowest = gpu & -gpu, without = gpu - lowest, up = without | (lowest << 1);
    first[static_cast<std::size_t>(gpu)] = up < gpus ? up : without;
  }
  if (number == 0) return first;
  // The second tree has odd numbers where the first has even ones: mirrored, or moved by one.
  const auto renamed = [&](int gpu) { return gpus % 2 == 0 ? gpus - 1 - gpu : (gpu + 1) % gpus; };
  TreeParents second(first.size(), -1);
  for (int gpu = 0; gpu < gpus; ++gpu)
    if (const int parent = first[static_cast<std::size_t>(gpu)]; parent >= 0)
      second[static_cast<std::size_t>(renamed(gpu))] = renamed(parent);
  return second;
}

int depth_in(const TreeParents& tree, int gpu) {
  int depth = 0;
  for (int at = tree[static_cast<std::size_t>(gpu)]; at >= 0; at = tree[static_cast<std::size_t>(at)]) ++depth;
  return depth;
}

int depth_of(const TreeParents& tree) {
  int most = 0;
  for (int gpu = 0; gpu < static_cast<int>(tree.size()); ++gpu) most = std::max(most, depth_in(tree, gpu));
  return most;
}

CollectivePlan tree_plan(int gpus, int chunks, int trees) {
  CollectivePlan plan{gpus, chunks, 0, own_chunks(gpus, chunks), {}};
  const int of_first = trees == 1 ? chunks : (chunks + 1) / 2;
  const TreeParents first = binary_tree(gpus, 0), second = binary_tree(gpus, 1);
  TreeSends(plan, first).add(0, of_first);
  TreeSends(plan, second).add(of_first, chunks);
  std::ranges::stable_sort(plan.sends, {}, &CollectiveSend::step);
  return plan;
}

}  // namespace warpwalk::story
