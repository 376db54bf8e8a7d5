#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace warpwalk::gpu {

/// The part of a vector clock that is about other blocks: for each warp of each block, the last of its epochs that is
/// ordered before. Copies share memory, so that a clock that grows from block to block costs only its differences.
class KnownBlocks {
 public:
  using Epochs = std::vector<std::uint32_t>;  ///< by warp of the block

  bool empty() const { return root_ == nullptr; }
  /// The last epoch of the warp that is ordered before; 0: none.
  std::uint32_t epoch_of(std::uint32_t block, std::uint32_t warp) const;

  void add(std::uint32_t block, Epochs epochs);
  void join(const KnownBlocks& other);

 private:
  struct Node;
  using Pointer = std::shared_ptr<const Node>;

  static Pointer join_nodes(const Pointer& a, const Pointer& b);
  void raise(int levels);

  Pointer root_;    ///< a radix tree by block index; null: nothing is known
  int levels_ = 0;  ///< 0: the root is a leaf
};

}  // namespace warpwalk::gpu
