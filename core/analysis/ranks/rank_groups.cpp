// One list of process groups for all ranks.
#include "core/analysis/ranks/rank_groups.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace warpwalk::analysis {
namespace {

// A group while groups are unified: what the digests say of it.
struct GroupDraft {
  ProcessGroup group;
  std::set<std::size_t> files;  // ranks (indexes) that list it
  bool used = false;            // has collectives
};

class GroupUnifier {
 public:
  explicit GroupUnifier(const std::vector<RankDigest>& ranks) : ranks_(ranks) {}

  RankGroups unify() {
    draft_of_.resize(ranks_.size());
    find_used();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      draft_of_[rank].resize(used_[rank].size(), RankGroups::unused);
    add_groups(true);
    add_groups(false);
    merge_names();
    return finish();
  }

 private:
  void find_used() {
    for (const RankDigest& digest : ranks_) {
      std::vector<bool>& used = used_.emplace_back(digest.identity.groups.size() + 1);
      for (const RankCollective& one : digest.collectives)
        used[std::min<std::size_t>(one.group, used.size() - 1)] = true;
    }
  }

  // First those whose ranks are recorded, then the others, which may be one of the first.
  void add_groups(bool with_ranks) {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (std::size_t own = 0; own < used_[rank].size(); ++own) {
        const std::vector<ProcessGroup>& groups = ranks_[rank].identity.groups;
        ProcessGroup group = own < groups.size() ? groups[own] : ProcessGroup();
        if (group.ranks.empty() == with_ranks) continue;
        if (own == groups.size() && !used_[rank][own]) continue;
        const std::size_t draft = with_ranks ? draft_named(group) : draft_for(rank, group);
        draft_of_[rank][own] = draft;
        GroupDraft& into = drafts_[draft];
        into.files.insert(rank);
        into.used = into.used || used_[rank][own];
        if (into.group.description.empty()) into.group.description = std::move(group.description);
      }
  }

  std::size_t draft_named(const ProcessGroup& group) {
    const auto [at, fresh] = by_key_.try_emplace({group.name, group.ranks}, drafts_.size());
    if (fresh) {
      drafts_.push_back({group, {}, false});
      by_name_[group.name].push_back(at->second);
    }
    return at->second;
  }

  // The group of a rank that does not know the group's ranks: the only one with its name that has the rank, else, where
  // none has the name, the only one that has the rank and that its file does not list otherwise.
  std::size_t draft_for(std::size_t rank, const ProcessGroup& group) {
    const auto fits = [&](std::size_t draft) {
      const GroupDraft& one = drafts_[draft];
      return !one.group.ranks.empty() && !one.files.contains(rank) &&
             std::ranges::binary_search(one.group.ranks, ranks_[rank].identity.rank);
    };
    std::vector<std::size_t> found;
    const auto named = by_name_.find(group.name);
    if (named != by_name_.end()) {
      std::ranges::copy_if(named->second, std::back_inserter(found), fits);
    } else {
      for (std::size_t draft = 0; draft < drafts_.size() && found.size() < 2; ++draft)
        if (fits(draft)) found.push_back(draft);
    }
    return found.size() == 1 ? found.front() : draft_named(group);
  }

  // Makes groups of equal ranks one if no file lists both.
  void merge_names() {
    into_.resize(drafts_.size());
    std::iota(into_.begin(), into_.end(), std::size_t{0});
    std::map<std::vector<std::int64_t>, std::vector<std::size_t>> by_ranks;
    for (std::size_t draft = 0; draft < drafts_.size(); ++draft) {
      GroupDraft& one = drafts_[draft];
      if (!one.used || one.group.ranks.empty()) continue;
      std::vector<std::size_t>& same = by_ranks[one.group.ranks];
      const auto other = std::ranges::find_if(same, [&](std::size_t known) {
        return std::ranges::none_of(one.files, [&](std::size_t file) { return drafts_[known].files.contains(file); });
      });
      if (other == same.end()) {
        same.push_back(draft);
        continue;
      }
      into_[draft] = *other;
      drafts_[*other].files.merge(one.files);
    }
  }

  RankGroups finish() const {
    std::vector<std::size_t> order;
    for (std::size_t draft = 0; draft < drafts_.size(); ++draft)
      if (drafts_[draft].used && into_[draft] == draft) order.push_back(draft);
    std::ranges::stable_sort(
        order, {}, [&](std::size_t draft) { return std::pair(drafts_[draft].group.name, drafts_[draft].group.ranks); });
    RankGroups result;
    std::vector<std::size_t> place(drafts_.size(), RankGroups::unused);
    for (const std::size_t draft : order) {
      place[draft] = result.groups.size();
      result.groups.push_back(drafts_[draft].group);
      result.members.push_back(members_of(drafts_[draft]));
    }
    for (const std::vector<std::size_t>& own : draft_of_) {
      std::vector<std::size_t>& places = result.of_own.emplace_back();
      for (const std::size_t draft : own)
        places.push_back(draft < drafts_.size() ? place[into_[draft]] : RankGroups::unused);
    }
    return result;
  }

  std::vector<std::size_t> members_of(const GroupDraft& draft) const {
    std::set<std::size_t> members = draft.files;
    if (!draft.group.ranks.empty()) {
      std::erase_if(members, [&](std::size_t rank) { return !takes_part(rank, draft); });
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
        if (std::ranges::binary_search(draft.group.ranks, ranks_[rank].identity.rank)) members.insert(rank);
    }
    return {members.begin(), members.end()};
  }

  // A file may list groups of which its rank is no member; it has no collectives in these.
  bool takes_part(std::size_t rank, const GroupDraft& draft) const {
    if (std::ranges::binary_search(draft.group.ranks, ranks_[rank].identity.rank)) return true;
    for (std::size_t own = 0; own < used_[rank].size(); ++own)
      if (used_[rank][own] && &drafts_[into_[draft_of_[rank][own]]] == &draft) return true;
    return false;
  }

  const std::vector<RankDigest>& ranks_;
  std::vector<std::vector<bool>> used_;  // by rank and own number: has collectives; the last: those without a group
  std::vector<GroupDraft> drafts_;
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> by_key_;
  std::map<std::string, std::vector<std::size_t>> by_name_;
  std::vector<std::vector<std::size_t>> draft_of_;  // by rank and own number
  std::vector<std::size_t> into_;                   // the draft of which a draft is a part
};

}  // namespace

std::size_t RankGroups::of(std::size_t rank, std::uint32_t own) const {
  const std::vector<std::size_t>& places = of_own[rank];
  return places[std::min<std::size_t>(own, places.size() - 1)];
}

RankGroups unified_groups(const std::vector<RankDigest>& ranks) { return GroupUnifier(ranks).unify(); }

std::string ranks_list(const std::vector<std::int64_t>& ranks) {
  constexpr std::size_t most_parts = 4;
  std::string text;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < ranks.size(); ++parts) {
    if (parts == most_parts) return text + fmt::format(" and {} more", ranks.size() - i);
    std::size_t to = i + 1;
    while (to < ranks.size() && ranks[to] == ranks[to - 1] + 1) ++to;
    if (to - i < 3) to = i + 1;
    if (i > 0) text += ", ";
    text += to - i > 1 ? fmt::format("{} to {}", ranks[i], ranks[to - 1]) : fmt::to_string(ranks[i]);
    i = to;
  }
  return text;
}

std::string group_label(const ProcessGroup& group) {
  std::string text = group.name.empty() ? "the group without a name" : "group " + group.name;
  std::string more = group.description;
  if (!group.ranks.empty()) {
    if (!more.empty()) more += "; ";
    more += (group.ranks.size() == 1 ? "rank " : "ranks ") + ranks_list(group.ranks);
  }
  return more.empty() ? text : text + " (" + more + ")";
}

}  // namespace warpwalk::analysis
