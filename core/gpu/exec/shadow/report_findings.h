#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

/// Key of a finding: occurrences with the same kind and instruction are the same finding.
struct FindingPlace {
  FindingKind kind = FindingKind::out_of_bounds;
  std::uint32_t instruction = 0;
  std::uint32_t other = ~0u;  ///< the other instruction of a race
  auto operator<=>(const FindingPlace&) const = default;
};

/// A thread of a launch. Its order determines which occurrence of a finding is the first.
struct FindingThread {
  std::uint64_t block = ~std::uint64_t{0};  ///< index in the grid
  std::uint32_t thread = ~0u;               ///< index in the block
  auto operator<=>(const FindingThread&) const = default;
};

/// Collects findings by place. A finding that occurs many times is reported once, for the first thread of the first
/// block, regardless of the order in which blocks ran.
class FindingList {
 public:
  /// Counts occurrences. Returns true if `thread` is the first thread so far; the caller then stores the finding with
  /// store().
  bool is_first(const FindingPlace& place, const FindingThread& thread, std::uint64_t count);
  void store(const FindingPlace& place, Finding finding);

  /// Removes a finding that turned out to be wrong.
  void withdraw(const FindingPlace& place) { entries_.erase(place); }
  void merge(FindingList&& other);
  bool empty() const { return entries_.empty(); }
  /// Removes and returns all findings, ordered by kind, then place. Findings of one kind at one source line are merged,
  /// and so are both accesses of a race. If block `last_block` stopped the launch, findings of later blocks are
  /// dropped, since those blocks' progress is nondeterministic.
  std::vector<Finding> merge_and_take(std::uint64_t last_block = ~std::uint64_t{0});

 private:
  struct Entry {
    FindingThread first;
    std::uint64_t count = 0;
    Finding finding;
  };
  std::map<FindingPlace, Entry> entries_;
};

}  // namespace warpwalk::gpu
