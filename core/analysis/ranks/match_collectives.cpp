// Matches the collectives of all ranks: within a group by the recorded sequence, else by order and signs; sends and
// receives by the pair of ranks.
#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/ranks/call_order.h"
#include "core/analysis/ranks/match_problems.h"
#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/rank_report.h"

namespace warpwalk::analysis {
namespace {

// The collectives of one rank in one group, or its messages to or from one rank.
struct CallList {
  std::size_t rank = 0;            // index in RankReport::ranks
  std::vector<std::size_t> calls;  // in RankDigest::collectives, ascending
  std::vector<std::size_t> rows;   // by call: the matched collective among those of the group
};

// How many collectives a group has, and their recorded numbers, if they are recorded.
struct CallRows {
  std::size_t count = 0;
  std::vector<std::int64_t> sequences;
};

// A recorded number, and how many of the rank had the same number before: ops that PyTorch coalesces share theirs.
using CallNumber = std::pair<std::int64_t, std::size_t>;

// Damaged traces may have any times. With these limits, differences and offsets fit 64 bits.
std::int64_t limited_time(std::int64_t time) {
  constexpr std::int64_t most = std::int64_t{1} << 61;  // ns since 1970: the year 2043
  return std::clamp(time, -most, most);
}

std::int64_t time_since(std::int64_t time, std::int64_t origin) {
  constexpr std::int64_t most = std::int64_t{1} << 59;
  return std::clamp(limited_time(time) - limited_time(origin), -most, most);
}

class Matcher {
 public:
  explicit Matcher(RankReport& report) : report_(report), problems_(report) {
    for (std::size_t rank = 0; rank < report.ranks.size(); ++rank)
      index_of_.try_emplace(report.ranks[rank].identity.rank, rank);
  }

  void match() {
    groups_ = unified_groups(report_.ranks);
    report_.groups = groups_.groups;
    report_.collectives.clear();
    fill_lists();
    for (std::size_t group = 0; group < lists_.size(); ++group) match_lists(group, lists_[group], "collectives");
    for (auto& [pair, lists] : messages_) {
      const auto& [group, from, to] = pair;
      match_lists(group, lists,
                  fmt::format("messages from rank {} to rank {}", report_.ranks[from].identity.rank,
                              report_.ranks[to].identity.rank));
    }
    problems_.finish();
    // What one open rank alone has is named in the problems.
    std::erase_if(report_.collectives, [](const MatchedCollective& one) { return one.members.size() < 2; });
  }

 private:
  using Pair = std::tuple<std::size_t, std::size_t, std::size_t>;  // group, sender, receiver (indexes)

  const RankCollective& call(const CallList& list, std::size_t place) const {
    return report_.ranks[list.rank].collectives[list.calls[place]];
  }

  void fill_lists() {
    lists_.resize(groups_.groups.size());
    for (std::size_t group = 0; group < lists_.size(); ++group)
      for (const std::size_t rank : groups_.members[group]) lists_[group].push_back({rank, {}, {}});
    for (std::size_t rank = 0; rank < report_.ranks.size(); ++rank) {
      const std::vector<RankCollective>& all = report_.ranks[rank].collectives;
      // The rank's list in each group.
      std::vector<CallList*> own(lists_.size(), nullptr);
      for (std::size_t group = 0; group < lists_.size(); ++group) {
        const auto found = std::ranges::lower_bound(lists_[group], rank, {}, &CallList::rank);
        if (found != lists_[group].end() && found->rank == rank) own[group] = &*found;
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t group = groups_.of(rank, all[i].group);
        if (is_message(all[i].kind))
          add_message(rank, group, i);
        else if (own[group] != nullptr)
          own[group]->calls.push_back(i);
      }
    }
  }

  void add_message(std::size_t rank, std::size_t group, std::size_t i) {
    const RankCollective& one = report_.ranks[rank].collectives[i];
    const std::optional<std::int64_t> peer = peer_of(report_.ranks[rank].identity.rank, group, one.peer);
    if (!peer) {
      problems_.add_without_peer();
      return;
    }
    const auto other = index_of_.find(*peer);
    if (other == index_of_.end() || other->second == rank) return;
    const bool sends = one.kind == CollectiveKind::send;
    const std::size_t from = sends ? rank : other->second, to = sends ? other->second : rank;
    std::vector<CallList>& lists = messages_[{group, from, to}];
    if (lists.empty()) lists = {{std::min(from, to), {}, {}}, {std::max(from, to), {}, {}}};
    lists[lists[0].rank == rank ? 0 : 1].calls.push_back(i);
  }

  // The number of the other rank. Some tools record its place in the group; then it is no rank of the group, or the
  // rank itself.
  std::optional<std::int64_t> peer_of(std::int64_t own, std::size_t group, std::int64_t recorded) const {
    const std::vector<std::int64_t>& ranks = groups_.groups[group].ranks;
    if (recorded < 0) {
      if (ranks.size() != 2) return {};
      return ranks[0] == own ? ranks[1] : ranks[0];
    }
    if (ranks.empty() || (recorded != own && std::ranges::binary_search(ranks, recorded))) return recorded;
    if (static_cast<std::size_t>(recorded) >= ranks.size()) return {};
    return ranks[static_cast<std::size_t>(recorded)];
  }

  void match_lists(std::size_t group, std::vector<CallList>& lists, const std::string& things) {
    if (lists.size() < 2 || std::ranges::all_of(lists, [](const CallList& list) { return list.calls.empty(); })) return;
    // The numbers of messages count all messages of a rank, so that sender and receiver have different ones.
    const bool messages = is_message(call_of_any(lists).kind);
    const CallRows rows = !messages && has_sequences(lists)    ? match_by_sequence(lists)
                          : have_equal_counts(lists, messages) ? match_by_place(lists)
                                                               : match_by_order(lists);
    const std::size_t first = report_.collectives.size();
    add_collectives(group, lists, rows);
    std::vector<std::size_t> ranks;
    for (const CallList& list : lists) ranks.push_back(list.rank);
    problems_.look_at(first, report_.collectives.size(), ranks, things);
  }

  const RankCollective& call_of_any(const std::vector<CallList>& lists) const {
    const auto found = std::ranges::find_if(lists, [](const CallList& list) { return !list.calls.empty(); });
    return call(*found, 0);
  }

  // Whether all collectives have recorded numbers, and most of a rank have different ones.
  bool has_sequences(const std::vector<CallList>& lists) const {
    for (const CallList& list : lists) {
      std::vector<std::int64_t> numbers;
      for (std::size_t i = 0; i < list.calls.size(); ++i) {
        numbers.push_back(call(list, i).sequence);
        if (numbers.back() < 0) return false;
      }
      std::ranges::sort(numbers);
      const auto different = static_cast<std::size_t>(std::ranges::unique(numbers).begin() - numbers.begin());
      if (2 * different < list.calls.size()) return false;
    }
    return true;
  }

  std::vector<CallNumber> numbers_of(const CallList& list) const {
    std::unordered_map<std::int64_t, std::size_t> seen;
    std::vector<CallNumber> numbers;
    for (std::size_t i = 0; i < list.calls.size(); ++i) {
      const std::int64_t sequence = call(list, i).sequence;
      numbers.emplace_back(sequence, seen[sequence]++);
    }
    return numbers;
  }

  CallRows match_by_sequence(std::vector<CallList>& lists) const {
    std::vector<std::vector<CallNumber>> numbers;
    std::vector<CallNumber> rows;
    for (const CallList& list : lists) {
      std::vector<CallNumber> sorted = numbers.emplace_back(numbers_of(list));
      std::ranges::sort(sorted);
      if (std::ranges::includes(rows, sorted)) continue;
      std::vector<CallNumber> both;
      std::ranges::set_union(rows, sorted, std::back_inserter(both));
      rows = std::move(both);
    }
    for (std::size_t at = 0; at < lists.size(); ++at) {
      std::size_t next = 0;  // mostly, the next number is in the next row
      for (const CallNumber& number : numbers[at]) {
        if (next >= rows.size() || rows[next] != number)
          next = static_cast<std::size_t>(std::ranges::lower_bound(rows, number) - rows.begin());
        lists[at].rows.push_back(next++);
      }
    }
    CallRows result{rows.size(), {}};
    for (const CallNumber& row : rows) result.sequences.push_back(row.first);
    return result;
  }

  std::vector<CallSign> signs_of(const CallList& list, std::int64_t origin) const {
    std::vector<CallSign> signs;
    for (std::size_t i = 0; i < list.calls.size(); ++i) {
      const RankCollective& one = call(list, i);
      const bool message = is_message(one.kind);
      signs.push_back({message ? CollectiveKind::send : one.kind, one.bytes, message ? -1 : one.sequence,
                       time_since(one.end, origin), message || joins_all(one.kind)});
    }
    return signs;
  }

  // Whether all ranks called as many of them in each training step, or as many messages in all: the steps that are
  // found without PyTorch's profiler may begin elsewhere in each rank. Then the same place is the same collective.
  bool have_equal_counts(const std::vector<CallList>& lists, bool messages) const {
    const CallList& first = lists.front();
    if (std::ranges::any_of(lists, [&](const CallList& list) { return list.calls.size() != first.calls.size(); }))
      return false;
    if (messages) return true;
    for (const CallList& list : lists) {
      if (report_.ranks[list.rank].steps != report_.ranks[first.rank].steps) return false;
      for (std::size_t i = 0; i < list.calls.size(); ++i)
        if (call(list, i).step < 0 || call(list, i).step != call(first, i).step) return false;
    }
    return true;
  }

  static CallRows match_by_place(std::vector<CallList>& lists) {
    for (CallList& list : lists) {
      list.rows.resize(list.calls.size());
      std::iota(list.rows.begin(), list.rows.end(), std::size_t{0});
    }
    return {lists.front().calls.size(), {}};
  }

  // One list of all collectives grows: each rank's is aligned with it, and what is new is inserted.
  CallRows match_by_order(std::vector<CallList>& lists) const {
    std::vector<CallList*> order;
    for (CallList& list : lists) order.push_back(&list);
    std::ranges::stable_sort(order, std::ranges::greater{}, [](const CallList* list) { return list->calls.size(); });
    const std::int64_t origin = call(*order.front(), 0).end;
    std::vector<CallSign> all = signs_of(*order.front(), origin);
    std::vector<std::size_t> ids(all.size());  // of the rows of `all`, as numbers in CallList::rows
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = i;
    order.front()->rows = ids;
    for (std::size_t i = 1; i < order.size(); ++i) insert(*order[i], signs_of(*order[i], origin), all, ids);
    std::vector<std::size_t> place(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) place[ids[i]] = i;
    for (CallList& list : lists)
      for (std::size_t& row : list.rows) row = place[row];
    return {ids.size(), {}};
  }

  static void insert(CallList& list, const std::vector<CallSign>& own, std::vector<CallSign>& all,
                     std::vector<std::size_t>& ids) {
    const std::vector<std::size_t> places = places_in(all, own);
    const auto is_new = static_cast<std::size_t>(std::ranges::count(places, not_there));
    std::vector<CallSign> grown;
    std::vector<std::size_t> grown_ids;
    grown.reserve(all.size() + is_new);
    grown_ids.reserve(all.size() + is_new);
    std::size_t taken = 0;  // of `all`
    const auto take_until = [&](std::size_t end) {
      for (; taken < end; ++taken) {
        grown.push_back(all[taken]);
        grown_ids.push_back(ids[taken]);
      }
    };
    std::int64_t distance = 0;  // of the clocks of `all` and the rank, where they were last seen together
    const auto first = std::ranges::find_if(places, [](std::size_t place) { return place != not_there; });
    if (first != places.end()) distance = all[*first].end - own[static_cast<std::size_t>(first - places.begin())].end;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (places[i] == not_there) {
        CallSign sign = own[i];
        sign.end += distance;
        list.rows.push_back(grown.size() - taken + ids.size());
        grown.push_back(sign);
        grown_ids.push_back(list.rows.back());
        continue;
      }
      take_until(places[i]);
      CallSign& known = all[places[i]];
      distance = known.end - own[i].end;
      if (known.kind == CollectiveKind::other) {
        known.kind = own[i].kind;
        known.common_end = own[i].common_end;
      }
      if (known.bytes == 0) known.bytes = own[i].bytes;
      list.rows.push_back(ids[places[i]]);
    }
    take_until(all.size());
    all = std::move(grown);
    ids = std::move(grown_ids);
  }

  void add_collectives(std::size_t group, const std::vector<CallList>& lists, const CallRows& rows) {
    const std::size_t first = report_.collectives.size();
    report_.collectives.resize(first + rows.count);
    std::vector<CallSign> signs(rows.count);
    for (std::size_t row = 0; row < rows.count; ++row) {
      MatchedCollective& one = report_.collectives[first + row];
      one.group = group;
      one.sequence = rows.sequences.empty() ? static_cast<std::int64_t>(row) : rows.sequences[row];
      one.members.reserve(lists.size());
    }
    for (const CallList& list : lists)
      for (std::size_t i = 0; i < list.calls.size(); ++i)
        add_member(report_.collectives[first + list.rows[i]], signs[list.rows[i]], list, i);
    for (std::size_t row = 0; row < rows.count; ++row) {
      MatchedCollective& one = report_.collectives[first + row];
      one.missing = lists.size() - one.members.size();
    }
    if (rows.sequences.empty()) take_recorded_sequences(first);
  }

  // Where only some collectives of a group have recorded numbers, the others are counted from these.
  void take_recorded_sequences(std::size_t first) {
    std::optional<std::int64_t> base;
    for (const bool numbers_others : {false, true})
      for (std::size_t i = first; i < report_.collectives.size(); ++i) {
        MatchedCollective& one = report_.collectives[i];
        const Member& member = one.members.front();
        const RankCollective& own = report_.ranks[member.rank].collectives[member.collective];
        if (is_message(own.kind)) return;
        if (own.sequence < 0 && numbers_others && base) one.sequence += *base;
        if (own.sequence < 0 || numbers_others) continue;
        if (!base) base = own.sequence - one.sequence;
        one.sequence = own.sequence;
      }
  }

  // `sign`: of the members so far.
  void add_member(MatchedCollective& into, CallSign& sign, const CallList& list, std::size_t i) const {
    const RankCollective& one = call(list, i);
    const CallSign own{is_message(one.kind) ? CollectiveKind::send : one.kind, one.bytes, -1, 0, false};
    if (!into.members.empty() && fit_of(sign, own) == SignFit::differs) into.mixed = true;
    if (sign.kind == CollectiveKind::other) sign.kind = own.kind;
    if (sign.bytes == 0) sign.bytes = own.bytes;
    into.kind = sign.kind;
    into.bytes = std::max(into.bytes, one.bytes);
    if (into.step < 0) into.step = one.step;
    into.members.push_back({list.rank, list.calls[i], limited_time(one.arrival), limited_time(one.end), 0});
  }

  RankReport& report_;
  MatchProblems problems_;
  RankGroups groups_;
  std::unordered_map<std::int64_t, std::size_t> index_of_;  // by number of the rank
  std::vector<std::vector<CallList>> lists_;                // by group: of its members
  std::map<Pair, std::vector<CallList>> messages_;          // of both ranks, by rank
};

}  // namespace

void match_collectives(RankReport& report) { Matcher(report).match(); }

}  // namespace warpwalk::analysis
