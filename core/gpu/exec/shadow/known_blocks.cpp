#include "core/gpu/exec/shadow/known_blocks.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwalk::gpu {

namespace {

constexpr int bits_per_level = 3;
constexpr std::uint32_t fan_out = 1u << bits_per_level;

std::uint32_t digit(std::uint32_t block, int level) { return block >> (level - 1) * bits_per_level & (fan_out - 1); }

}  // namespace

struct KnownBlocks::Node {
  std::array<Pointer, fan_out> children;  ///< of an inner node
  Epochs epochs;                          ///< of a leaf
};

std::uint32_t KnownBlocks::epoch_of(std::uint32_t block, std::uint32_t warp) const {
  if (root_ == nullptr || std::uint64_t{block} >> levels_ * bits_per_level != 0) return 0;
  const Node* node = root_.get();
  for (int level = levels_; level > 0; --level) {
    node = node->children[digit(block, level)].get();
    if (node == nullptr) return 0;
  }
  return warp < node->epochs.size() ? node->epochs[warp] : 0;
}

void KnownBlocks::raise(int levels) {
  for (; levels_ < levels; ++levels_) {
    if (root_ == nullptr) continue;
    auto above = std::make_shared<Node>();
    above->children[0] = std::move(root_);
    root_ = std::move(above);
  }
}

void KnownBlocks::add(std::uint32_t block, Epochs epochs) {
  KnownBlocks one;
  auto leaf = std::make_shared<Node>();
  leaf->epochs = std::move(epochs);
  one.root_ = std::move(leaf);
  for (; std::uint64_t{block} >> one.levels_ * bits_per_level != 0; ++one.levels_) {
    auto above = std::make_shared<Node>();
    above->children[digit(block, one.levels_ + 1)] = std::move(one.root_);
    one.root_ = std::move(above);
  }
  join(one);
}

void KnownBlocks::join(const KnownBlocks& other) {
  if (other.root_ == nullptr || other.root_ == root_) return;
  KnownBlocks raised = other;
  raised.raise(levels_);
  raise(raised.levels_);
  root_ = join_nodes(root_, raised.root_);
}

/// Returns one of the two nodes itself if it contains the other, so that equal parts stay shared.
KnownBlocks::Pointer KnownBlocks::join_nodes(const Pointer& a, const Pointer& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  bool a_suffices = true, b_suffices = true;
  Node both;
  if (!a->epochs.empty()) {
    both.epochs.resize(std::max(a->epochs.size(), b->epochs.size()));
    const auto epoch = [](const Pointer& node, std::size_t warp) {
      return warp < node->epochs.size() ? node->epochs[warp] : 0;
    };
    for (std::size_t warp = 0; warp < both.epochs.size(); ++warp) {
      both.epochs[warp] = std::max(epoch(a, warp), epoch(b, warp));
      a_suffices = a_suffices && both.epochs[warp] == epoch(a, warp);
      b_suffices = b_suffices && both.epochs[warp] == epoch(b, warp);
    }
  } else {
    for (std::size_t i = 0; i < fan_out; ++i) {
      both.children[i] = join_nodes(a->children[i], b->children[i]);
      a_suffices = a_suffices && both.children[i] == a->children[i];
      b_suffices = b_suffices && both.children[i] == b->children[i];
    }
  }
  if (a_suffices) return a;
  if (b_suffices) return b;
  return std::make_shared<const Node>(std::move(both));
}

}  // namespace warpwalk::gpu
