#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/hang/hang_report.h"

namespace warpwalk::analysis {

/// The calls of a rank that share a number: one, or those that were coalesced with the call that ends them,
/// "coalesced". PyTorch updates the state of that last call alone.
struct CallUnit {
  std::size_t first = 0, count = 0;  ///< calls of the dump, not always adjacent: see RankCalls::of
  std::int64_t sequence = -1;        ///< of a unit with messages: their number
  bool message = false;
  trace::flight::State state = trace::flight::State::unknown;
  bool open() const { return state == trace::flight::State::scheduled || state == trace::flight::State::started; }
};

/// What a rank has called in a group.
struct RankCalls {
  std::size_t dump = 0;
  std::int64_t rank = 0;
  std::vector<std::size_t> of;                      ///< calls of the dump, in their order; units are ranges of this
  std::vector<CallUnit> units;                      ///< in their order
  std::map<std::int64_t, std::size_t> collectives;  ///< units by their number
  std::optional<trace::flight::Status> status;
  bool from_start = false;   ///< the dump goes back to the first call of the rank and has all of them
  bool active_only = false;  ///< calls that are complete were left out of the dump

  /// The unit of the collective with this number; null if there is none.
  const CallUnit* collective(std::int64_t sequence) const;
};

/// What a dump says of a collective of this number.
enum class Called : std::uint8_t { yes, no, unsure };

/// The groups of all dumps, and who has called what in them.
class GroupCalls {
 public:
  GroupCalls(const trace::flight::Dumps& dumps, const std::vector<std::int64_t>& ranks);

  const trace::flight::Dumps& dumps;
  std::vector<HangGroup> groups;
  std::vector<std::map<std::int64_t, RankCalls>> calls;  ///< by group, by rank; ranks with a dump alone
  std::map<std::int64_t, std::size_t> dump_of;           ///< by rank

  std::span<const std::size_t> calls_of(const RankCalls& rank, const CallUnit& unit) const {
    return std::span(rank.of).subspan(unit.first, unit.count);
  }
  const trace::flight::Call& call(const RankCalls& rank, std::size_t call) const {
    return dumps.dumps[rank.dump].calls[call];
  }
  /// The call that stands for a unit: its name and line. Of coalesced calls the first, unless the last has a name of
  /// its own ("ALLGATHER_coalesced").
  const trace::flight::Call& shown(const RankCalls& rank, const CallUnit& unit) const;
  /// The same with its texts.
  HangCall described(std::size_t group, const RankCalls& rank, const CallUnit& unit) const;
  /// The rank that a number within the group means.
  std::int64_t rank_at(std::size_t group, std::int64_t place) const;
  /// Whether the rank has called the collective of this number.
  Called called(std::size_t group, const RankCalls& rank, std::int64_t sequence) const;

 private:
  RankCalls& place(std::size_t group, std::int64_t rank, std::size_t dump);
  void find_groups(const std::vector<std::int64_t>& ranks);
  void find_calls(std::size_t dump, std::int64_t rank);
  void finish_units(RankCalls& rank) const;
  void find_statuses(std::size_t dump, std::int64_t rank);
  void complete_by_status();
  std::size_t group_of(std::string_view name, std::string_view description, std::int64_t rank);

  std::multimap<std::string, std::size_t> by_name_;   // groups
  std::vector<bool> has_messages_, has_collectives_;  // by group
};

/// A send or a receive by its name: "send 0->1", "recv 1<-0". Numbers are places in the group.
struct Message {
  bool sends = false;
  std::int64_t from = -1, to = -1;
};
std::optional<Message> message_of(std::string_view name);

}  // namespace warpwalk::analysis
