#include "core/analysis/ranks/match_problems.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/ranks/rank_groups.h"

namespace warpwalk::analysis {
namespace {

// Of one rank in a list of matched collectives.
struct Presence {
  std::size_t count = 0, first = 0, last = 0;
};

std::string traces_of(const RankReport& report, const std::vector<std::size_t>& ranks) {
  std::vector<std::int64_t> numbers;
  for (const std::size_t rank : ranks) numbers.push_back(report.ranks[rank].identity.rank);
  return (numbers.size() == 1 ? "the trace of rank " : "the traces of ranks ") + ranks_list(numbers);
}

}  // namespace

void MatchProblems::look_at(std::size_t first, std::size_t last, const std::vector<std::size_t>& ranks,
                            const std::string& things) {
  look_for_missing(first, last, ranks, things);
  std::size_t mixed = 0, example = last;
  for (std::size_t i = first; i < last; ++i) {
    if (!report_.collectives[i].mixed) continue;
    example = std::min(example, i);
    ++mixed;
  }
  if (mixed == 0) return;
  const MatchedCollective& one = report_.collectives[example];
  lines_[differing].push_back(fmt::format("{}: ranks disagree about {} of {} {}; the first is number {}: {}",
                                          group_label(report_.groups[one.group]), mixed, last - first, things,
                                          one.sequence, text_of(example)));
}

void MatchProblems::look_for_missing(std::size_t first, std::size_t last, const std::vector<std::size_t>& ranks,
                                     const std::string& things) {
  const std::size_t complete = ranks.size();
  std::vector<Presence> presence(ranks.size());
  bool any = false;
  for (std::size_t i = first; i < last; ++i) {
    any = any || report_.collectives[i].members.size() < complete;
    for (std::size_t at = 0; const Member& member : report_.collectives[i].members) {
      while (ranks[at] != member.rank) ++at;
      if (presence[at].count++ == 0) presence[at].first = i;
      presence[at].last = i;
    }
  }
  if (!any) return;
  std::array<std::size_t, kinds> counts{};
  std::array<std::vector<std::size_t>, kinds> of;  // ranks
  for (std::size_t i = first; i < last; ++i) {
    const std::vector<Member>& members = report_.collectives[i].members;
    std::array<bool, kinds> here{};
    auto member = members.begin();
    for (std::size_t at = 0; at < ranks.size(); ++at) {
      if (member != members.end() && member->rank == ranks[at]) {
        ++member;
        continue;
      }
      const Presence& one = presence[at];
      const Kind kind = one.count == 0 ? absent : i < one.first || i > one.last ? outside : between;
      here[kind] = true;
      if (std::vector<std::size_t>& list = of[kind]; std::ranges::find(list, ranks[at]) == list.end())
        list.push_back(ranks[at]);
    }
    for (std::size_t kind = 0; kind < kinds; ++kind) counts[kind] += here[kind] ? 1 : 0;
  }
  const std::string group = group_label(report_.groups[report_.collectives[first].group]);
  for (const auto& [kind, why] :
       {std::pair(absent, ", which has none of this group"), std::pair(outside, ", which begins later or ends earlier"),
        std::pair(between, ", though earlier and later ones are there")}) {
    if (counts[kind] == 0) continue;
    std::ranges::sort(of[kind]);
    std::string reason = why;
    if (of[kind].size() > 1 && kind == absent) reason = ", which have none of this group";
    if (of[kind].size() > 1 && kind == outside) reason = ", which begin later or end earlier";
    lines_[kind].push_back(fmt::format("{}: {} of {} {} {} missing in {}{}", group, counts[kind], last - first, things,
                                       counts[kind] == 1 ? "is" : "are", traces_of(report_, of[kind]), reason));
  }
}

// "all_reduce of 4096 bytes in rank 0, all_gather of 512 bytes in rank 1": the first two that differ.
std::string MatchProblems::text_of(std::size_t collective) const {
  const std::vector<Member>& members = report_.collectives[collective].members;
  const auto own = [&](const Member& member) -> const RankCollective& {
    return report_.ranks[member.rank].collectives[member.collective];
  };
  const auto text = [&](const Member& member) {
    const RankCollective& one = own(member);
    std::string what(name_of(one.kind));
    if (one.bytes > 0) what += fmt::format(" of {} bytes", one.bytes);
    return fmt::format("{} in rank {}", what, report_.ranks[member.rank].identity.rank);
  };
  const Member& first = members.front();
  const auto other = std::ranges::find_if(members, [&](const Member& member) {
    return own(member).kind != own(first).kind || own(member).bytes != own(first).bytes;
  });
  return other == members.end() ? text(first) : text(first) + ", " + text(*other);
}

void MatchProblems::finish() {
  constexpr std::size_t most_lines = 4;
  for (const std::vector<std::string>& lines : lines_) {
    const std::size_t shown = lines.size() <= most_lines + 1 ? lines.size() : most_lines;
    report_.problems.insert(report_.problems.end(), lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(shown));
    if (shown < lines.size())
      report_.problems.push_back(fmt::format("the same is true of {} more groups or pairs", lines.size() - shown));
  }
  if (without_peer_ > 0)
    report_.problems.push_back(
        fmt::format("sends and receives that do not record the other rank are not matched: {}", without_peer_));
}

}  // namespace warpwalk::analysis
