#pragma once

#include <vector>

#include "core/story/labs/collectives/plan.h"

namespace warpwalk::story {

/// A tree over GPUs: the parent of each; -1 for the root.
using TreeParents = std::vector<int>;

/// The first or the second (`number` 0 or 1) of two binary trees over the GPUs. A GPU that has children in one of them
/// is a leaf in the other, as far as their number allows (P. Sanders, J. Speck, J. L. Träff: Two-tree algorithms for
/// full bandwidth broadcast, reduction and scan, 2009; NCCL uses such trees between nodes).
TreeParents binary_tree(int gpus, int number);

/// Edges from the root to a GPU.
int depth_in(const TreeParents& tree, int gpu);
/// The largest depth: ceil(log2 n).
int depth_of(const TreeParents& tree);

/// All-reduce by trees: chunks are summed up towards the root, and the sums go back down. With two trees, each takes
/// half of the chunks. In a step, an edge carries at most one chunk in each direction, so chunks follow each other:
/// with depth d and k chunks per tree, it takes 2d + k - 1 steps.
CollectivePlan tree_plan(int gpus, int chunks, int trees);

}  // namespace warpwalk::story
