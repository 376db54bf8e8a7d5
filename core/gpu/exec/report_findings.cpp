#include "core/gpu/exec/report_findings.h"

namespace warpwalk::gpu {

bool FindingList::wants(FindingKind kind, std::uint32_t instruction, std::uint64_t order, std::uint64_t lanes) {
  Entry& entry = entries_[{kind, instruction}];
  entry.count += lanes;
  if (order >= entry.order) return false;
  entry.order = order;
  return true;
}

void FindingList::put(FindingKind kind, std::uint32_t instruction, Finding finding) {
  entries_[{kind, instruction}].finding = std::move(finding);
}

void FindingList::merge(FindingList&& other) {
  for (auto& [key, entry] : other.entries_) {
    Entry& mine = entries_[key];
    mine.count += entry.count;
    if (entry.order >= mine.order) continue;
    mine.order = entry.order;
    mine.finding = std::move(entry.finding);
  }
  other.entries_.clear();
}

std::vector<Finding> FindingList::take() {
  std::vector<Finding> all;
  for (auto& [key, entry] : entries_) {
    entry.finding.count = entry.count;
    all.push_back(std::move(entry.finding));
  }
  entries_.clear();
  return all;
}

}  // namespace warpwalk::gpu
