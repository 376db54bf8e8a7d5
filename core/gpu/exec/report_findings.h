#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

/// Findings by kind and place: what happens a thousand times at a line is told once, of the first thread of the first
/// block, whatever the order in which blocks ran.
class FindingList {
 public:
  /// `order` is block * threads + thread; `instruction` where it happened. Answers whether the message is wanted: the
  /// first of all so far.
  bool wants(FindingKind kind, std::uint32_t instruction, std::uint64_t order, std::uint64_t lanes);
  void put(FindingKind kind, std::uint32_t instruction, Finding finding);

  void merge(FindingList&& other);
  bool empty() const { return entries_.empty(); }
  /// In order of kind, then place.
  std::vector<Finding> take();

 private:
  struct Entry {
    std::uint64_t order = ~std::uint64_t{0}, count = 0;
    Finding finding;
  };
  std::map<std::pair<FindingKind, std::uint32_t>, Entry> entries_;
};

}  // namespace warpwalk::gpu
