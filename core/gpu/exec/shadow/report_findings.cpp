#include "core/gpu/exec/shadow/report_findings.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::gpu {

namespace {

/// Key that merges findings: the source lines, or the PTX instructions if the PTX has no source lines.
using Line = std::tuple<FindingKind, std::string, std::uint32_t, std::uint32_t>;

Line line_of(const FindingPlace& place, const Finding& finding) {
  if (finding.source_line == 0) return {finding.kind, "", std::min(place.instruction, place.other), place.other};
  if (finding.other_line == 0) return {finding.kind, finding.source_file, finding.source_line, 0};
  const auto [low, high] = std::minmax(finding.source_line, finding.other_line);
  return {finding.kind, finding.source_file, low, high};
}

}  // namespace

bool FindingList::is_first(const FindingPlace& place, const FindingThread& thread, std::uint64_t count) {
  Entry& entry = entries_[place];
  entry.count += count;
  if (thread >= entry.first) return false;
  entry.first = thread;
  return true;
}

void FindingList::store(const FindingPlace& place, Finding finding) { entries_[place].finding = std::move(finding); }

void FindingList::merge(FindingList&& other) {
  for (auto& [place, entry] : other.entries_) {
    Entry& mine = entries_[place];
    mine.count += entry.count;
    if (entry.first >= mine.first) continue;
    mine.first = entry.first;
    mine.finding = std::move(entry.finding);
  }
  other.entries_.clear();
}

std::vector<Finding> FindingList::merge_and_take(std::uint64_t last_block) {
  std::vector<Finding> all;
  std::map<Line, std::pair<std::size_t, FindingThread>> known;  // index into `all`, and the thread of that finding
  for (auto& [place, entry] : entries_) {
    if (entry.first.block > last_block) continue;
    entry.finding.count = entry.count;
    const auto [found, is_new] = known.try_emplace(line_of(place, entry.finding), all.size(), entry.first);
    if (is_new) {
      all.push_back(std::move(entry.finding));
      continue;
    }
    auto& [index, first] = found->second;
    entry.finding.count += all[index].count;
    if (entry.first < first) {
      first = entry.first;
      all[index] = std::move(entry.finding);
    } else {
      all[index].count = entry.finding.count;
    }
  }
  entries_.clear();
  // If the launch was stopped, unfinished and later blocks make the counts nondeterministic.
  if (last_block != ~std::uint64_t{0}) {
    for (Finding& finding : all) finding.count = 1;
  }
  for (Finding& finding : all) {
    if (finding.count > 1) finding.message += fmt::format(" ({} more like it)", finding.count - 1);
  }
  return all;
}

}  // namespace warpwalk::gpu
