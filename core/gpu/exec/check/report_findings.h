#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

/// What happens again and again is the same finding if it is of the same kind, at the same instruction.
struct FindingPlace {
  FindingKind kind = FindingKind::out_of_bounds;
  std::uint32_t instruction = 0;
  std::uint32_t other = ~0u;  ///< the instruction at the far end of a race
  auto operator<=>(const FindingPlace&) const = default;
};

/// A thread of a launch, in the order in which findings count.
struct FindingThread {
  std::uint64_t block = ~std::uint64_t{0};  ///< in the grid
  std::uint32_t thread = ~0u;               ///< in the block
  auto operator<=>(const FindingThread&) const = default;
};

/// Findings by place: what happens a thousand times at a line is told once, of the first thread of the first block,
/// whatever the order in which blocks ran.
class FindingList {
 public:
  /// Answers whether the message is wanted: it is of the first thread of all so far.
  bool wants(const FindingPlace& place, const FindingThread& thread, std::uint64_t count);
  void put(const FindingPlace& place, Finding finding);

  void merge(FindingList&& other);
  bool empty() const { return entries_.empty(); }
  /// All of them, in order of kind, then place; those of one kind at one source line are one, and so are the two ends
  /// of a race. Where the launch was stopped by a block, blocks after it do not count: how far they came is chance.
  std::vector<Finding> take(std::uint64_t last_block = ~std::uint64_t{0});

 private:
  struct Entry {
    FindingThread first;
    std::uint64_t count = 0;
    Finding finding;
  };
  std::map<FindingPlace, Entry> entries_;
};

}  // namespace warpwalk::gpu
