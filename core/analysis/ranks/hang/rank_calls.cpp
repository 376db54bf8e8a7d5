#include "core/analysis/ranks/hang/rank_calls.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <utility>

namespace warpwalk::analysis {
namespace {

using trace::flight::Call;
using trace::flight::Dump;
using trace::flight::State;
using trace::flight::Status;

std::vector<std::int64_t> sorted_ranks(std::vector<std::int64_t> ranks) {
  std::ranges::sort(ranks);
  return ranks;
}

// "0" to "117"; none for names that are hashes or given by the program.
std::optional<std::int64_t> counted_name(std::string_view name) {
  std::int64_t number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size()) return {};
  return number;
}

bool ends_coalescing(std::string_view name) { return name == "coalesced" || name.ends_with("_coalesced"); }

}  // namespace

std::optional<Message> message_of(std::string_view name) {
  Message message;
  message.sends = name.starts_with("send ");
  if (!message.sends && !name.starts_with("recv ")) return {};
  const std::string_view ends = name.substr(5);
  const std::size_t arrow = ends.find(message.sends ? "->" : "<-");
  if (arrow == std::string_view::npos) return {};
  const auto first = counted_name(ends.substr(0, arrow)), second = counted_name(ends.substr(arrow + 2));
  if (!first || !second) return {};
  message.from = message.sends ? *first : *second;
  message.to = message.sends ? *second : *first;
  return message;
}

const CallUnit* RankCalls::collective(std::int64_t sequence) const {
  const auto found = collectives.find(sequence);
  return found == collectives.end() ? nullptr : &units[found->second];
}

GroupCalls::GroupCalls(const trace::flight::Dumps& all, const std::vector<std::int64_t>& ranks) : dumps(all) {
  for (std::size_t i = 0; i < ranks.size(); ++i) dump_of[ranks[i]] = i;
  find_groups(ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) find_calls(i, ranks[i]);
  for (std::size_t i = 0; i < ranks.size(); ++i) find_statuses(i, ranks[i]);
  complete_by_status();
}

RankCalls& GroupCalls::place(std::size_t group, std::int64_t rank, std::size_t dump) {
  RankCalls& in_group = calls[group][rank];
  in_group.dump = dump;
  in_group.rank = rank;
  return in_group;
}

void GroupCalls::find_groups(const std::vector<std::int64_t>& ranks) {
  std::set<std::pair<std::string, std::vector<std::int64_t>>> known;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    for (const trace::flight::Group& group : dumps.dumps[i].groups) {
      std::string name(dumps.text(group.name));
      if (!known.emplace(name, sorted_ranks(group.ranks)).second) continue;
      by_name_.emplace(name, groups.size());
      groups.push_back({std::move(name), std::string(dumps.text(group.description)), group.ranks});
    }
  calls.resize(groups.size());
  // Every member with a dump has a place in the group, also if it has called nothing in it.
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (const std::int64_t rank : groups[group].ranks)
      if (const auto dump = dump_of.find(rank); dump != dump_of.end()) place(group, rank, dump->second);
}

// The group of this name that has the rank; one that no dump describes is made of the ranks that have called in it.
std::size_t GroupCalls::group_of(std::string_view name, std::string_view description, std::int64_t rank) {
  std::optional<std::size_t> undescribed;
  for (auto [at, end] = by_name_.equal_range(std::string(name)); at != end; ++at) {
    const std::vector<std::int64_t>& ranks = groups[at->second].ranks;
    if (std::ranges::find(ranks, rank) != ranks.end()) return at->second;
    if (ranks.empty()) undescribed = at->second;
  }
  if (undescribed) return *undescribed;
  by_name_.emplace(name, groups.size());
  groups.push_back({std::string(name), std::string(description), {}});
  calls.emplace_back();
  return groups.size() - 1;
}

void GroupCalls::find_calls(std::size_t dump, std::int64_t rank) {
  const std::vector<Call>& all = dumps.dumps[dump].calls;
  bool from_start = all.empty() ? dumps.dumps[dump].statuses.empty() : all.front().record == 0;
  bool any_complete = false;
  for (std::size_t i = 1; i < all.size(); ++i) from_start = from_start && all[i].record == all[i - 1].record + 1;
  std::map<std::pair<trace::StringId, trace::StringId>, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [found, fresh] = known.try_emplace({all[i].group, all[i].description});
    if (fresh) found->second = group_of(dumps.text(all[i].group), dumps.text(all[i].description), rank);
    RankCalls& in_group = place(found->second, rank, dump);
    const std::size_t at = in_group.of.size();
    in_group.of.push_back(i);
    any_complete = any_complete || all[i].state == State::completed;
    const Call* const before = at == 0 ? nullptr : &all[in_group.of[at - 1]];
    if (before == nullptr || before->collective != all[i].collective || before->message != all[i].message)
      in_group.units.push_back({at, 0, all[i].collective, false, State::scheduled});
    CallUnit& unit = in_group.units.back();
    ++unit.count;
    unit.message = unit.message || all[i].is_message;
    unit.state = all[i].state;
    if (unit.message) unit.sequence = all[i].message;
  }
  for (auto& in_group : calls)
    if (const auto found = in_group.find(rank); found != in_group.end()) {
      found->second.from_start = from_start;
      found->second.active_only = !from_start && !any_complete;
      finish_units(found->second);
    }
}

void GroupCalls::finish_units(RankCalls& rank) const {
  bool open = false;
  for (std::size_t i = 0; i < rank.units.size(); ++i) {
    CallUnit& unit = rank.units[i];
    const std::string_view last = dumps.text(call(rank, calls_of(rank, unit).back()).name);
    // Calls that are being coalesced have no state of their own. Where calls that are complete were left out, the one
    // that ends them may be, too.
    if (!ends_coalescing(last) && (unit.count > 1 || last.ends_with("_oop")))
      unit.state = rank.active_only ? State::unknown : State::scheduled;
    if (unit.message) continue;
    rank.collectives.try_emplace(unit.sequence, i);
    // The collectives of a group run in order. PyTorch calls one complete that comes after an open one if the CPU is
    // still inside its call: the event that is asked was not recorded yet.
    if (open && !unit.open()) unit.state = State::scheduled;
    open = open || unit.open();
  }
}

// Statuses have the number of a group on the rank, which its calls have, too. Groups without calls in the dump have the
// same order by number and by counted name, since PyTorch counts both as it makes groups.
void GroupCalls::find_statuses(std::size_t dump, std::int64_t rank) {
  std::map<std::size_t, std::int64_t> id_of;  // by group
  std::vector<std::pair<std::int64_t, std::size_t>> by_name;
  bool counted = true;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const auto found = calls[group].find(rank);
    if (found == calls[group].end()) continue;
    if (!found->second.of.empty()) id_of[group] = call(found->second, found->second.of.front()).group_id;
    const auto number = counted_name(groups[group].name);
    counted = counted && number;
    if (number) by_name.emplace_back(*number, group);
  }
  std::vector<Status> statuses = dumps.dumps[dump].statuses;
  std::ranges::sort(statuses, {}, &Status::group_id);
  std::ranges::sort(by_name);
  if (counted && by_name.size() == statuses.size()) {
    bool agrees = true;
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const auto known = id_of.find(by_name[i].second);
      agrees = agrees && (known == id_of.end() || known->second == statuses[i].group_id);
    }
    for (std::size_t i = 0; agrees && i < statuses.size(); ++i) id_of[by_name[i].second] = statuses[i].group_id;
  }
  for (const auto& [group, id] : id_of)
    if (const auto status = std::ranges::find(statuses, id, &Status::group_id); status != statuses.end())
      calls[group][rank].status = *status;
}

// The numbers of a status are those of collectives or of messages, whichever came last, so they say something of a
// group that has only one of both.
void GroupCalls::complete_by_status() {
  has_messages_.resize(groups.size());
  has_collectives_.resize(groups.size());
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (const auto& [rank, of_rank] : calls[group])
      for (const CallUnit& unit : of_rank.units) {
        if (unit.message) has_messages_[group] = true;
        if (!unit.message) has_collectives_[group] = true;
      }
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (auto& [rank, of_rank] : calls[group])
      for (CallUnit& unit : of_rank.units)
        if (of_rank.active_only && of_rank.status && has_messages_[group] != has_collectives_[group] &&
            of_rank.status->completed >= unit.sequence)
          unit.state = State::completed;
}

Called GroupCalls::called(std::size_t group, const RankCalls& rank, std::int64_t sequence) const {
  if (rank.collective(sequence) != nullptr) return Called::yes;
  const bool any = !rank.collectives.empty();
  if (any && rank.collectives.rbegin()->first > sequence) return Called::yes;
  if (rank.status && !has_messages_[group]) return rank.status->enqueued >= sequence ? Called::yes : Called::no;
  // A ring buffer drops its oldest calls first.
  if (rank.from_start || (any && !rank.active_only)) return Called::no;
  return Called::unsure;
}

const Call& GroupCalls::shown(const RankCalls& rank, const CallUnit& unit) const {
  const std::span<const std::size_t> all = calls_of(rank, unit);
  const Call& last = call(rank, all.back());
  return dumps.text(last.name) == "coalesced" ? call(rank, all.front()) : last;
}

std::int64_t GroupCalls::rank_at(std::size_t group, std::int64_t place) const {
  const std::vector<std::int64_t>& ranks = groups[group].ranks;
  return place >= 0 && place < std::ssize(ranks) ? ranks[static_cast<std::size_t>(place)] : place;
}

HangCall GroupCalls::described(std::size_t group, const RankCalls& rank, const CallUnit& unit) const {
  const Call& one = shown(rank, unit);
  HangCall out;
  out.rank = rank.rank;
  out.group = group;
  out.name = dumps.text(one.name);
  if (const auto message = message_of(out.name))
    out.name = message->sends ? "send to rank " + std::to_string(rank_at(group, message->to))
                              : "recv from rank " + std::to_string(rank_at(group, message->from));
  out.sequence = unit.sequence;
  out.state = unit.state;
  out.timed = std::ranges::any_of(dumps.dumps[rank.dump].calls, &Call::timed);
  out.function = dumps.text(one.function);
  out.file = dumps.text(one.file);
  out.line = one.line;
  out.input_sizes = dumps.text(one.input_sizes);
  out.output_sizes = dumps.text(one.output_sizes);
  out.input_types = dumps.text(one.input_types);
  out.output_types = dumps.text(one.output_types);
  out.created = one.created;
  out.timeout_ms = one.timeout_ms;
  const Call& last = call(rank, calls_of(rank, unit).back());
  out.timed_out = unit.open() && last.retired && last.state != State::completed;
  return out;
}

}  // namespace warpwalk::analysis
