#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// The clock of a rank against that of the first one: common = local + offset + drift * (local - since).
struct RankClock {
  std::int64_t offset = 0;  ///< ns
  double drift = 0;         ///< 20e-6: 20 us per second
  std::int64_t since = 0;   ///< local time
  bool aligned = false;     ///< it shares collectives with the others, so that offset and drift are known

  std::int64_t common(std::int64_t local) const;
  std::int64_t local(std::int64_t common) const;
};

struct Alignment {
  std::vector<RankClock> clocks;  ///< by rank index
  std::int64_t uncertainty =
      0;  ///< ns: 95 % of a collective's ends lie this close to their middle; the clocks are usually better
  std::size_t ends = 0;  ///< collectives from which it was found
};

/// One rank's part in a collective. Times are on the common clock.
struct Member {
  std::size_t rank = 0;        ///< index in RankReport::ranks
  std::size_t collective = 0;  ///< in RankDigest::collectives
  std::int64_t arrival = 0, end = 0;
  std::int64_t wait = 0;  ///< ns from its arrival to that of the last rank
};

/// A collective that was matched across ranks.
struct MatchedCollective {
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  CollectiveKind kind = CollectiveKind::other;
  std::size_t group = 0;      ///< in RankReport::groups
  std::int64_t sequence = 0;  ///< within its group: recorded, else counted from 0
  std::int64_t bytes = 0;     ///< the largest of its ranks
  std::int64_t step = -1;
  std::vector<Member> members;  ///< by rank
  std::size_t missing = 0;      ///< ranks of the group that are open, in whose traces it is not
  bool mixed = false;           ///< kinds or sizes differ where they should not
  std::int64_t last_arrival = 0;
  std::int64_t transfer = 0;  ///< ns from the last arrival to the last end
  std::int64_t wait = 0;      ///< ns, of all members
  std::size_t late = nobody;  ///< index in `members` of the last to arrive; nobody: within the clocks' uncertainty
  std::int64_t late_by = 0;   ///< ns after the median arrival of the other members; 0 for nobody
  std::int64_t middle = 0;    ///< of many members, their median arrival
  std::int64_t late_from = std::numeric_limits<std::int64_t>::max();  ///< of many members, who comes then is late, too

  /// ns by which a member is late: late_by of the last one; of many members, also of others whose arrival is an outlier
  /// (robust_spread); else 0.
  std::int64_t lateness(std::size_t member) const;

  /// bytes / transfer in GB/s; 0 without both.
  double algorithm_bandwidth() const;
  /// What the links carried, as nccl-tests computes it (doc/PERFORMANCE.md): times 2(n-1)/n for all_reduce, (n-1)/n for
  /// all_gather, reduce_scatter and all_to_all, 1 for others.
  double bus_bandwidth() const;
};

/// Why a rank arrives late.
enum class LateKind : std::uint8_t { line, kernel, synchronize, copy, more_work, unknown };
std::string_view name_of(LateKind kind);

/// One cause for which others wait.
struct LateCause {
  std::size_t rank = 0;  ///< index in RankReport::ranks
  LateKind kind = LateKind::unknown;
  std::int64_t late = 0;           ///< ns by which it delays the rank, each time (mean)
  std::size_t times = 0;           ///< stretches before collectives in which it does
  std::size_t last_in = 0;         ///< collectives in which the rank arrives last
  std::size_t late_in = 0;         ///< collectives in which it is late, last or not
  std::size_t of = 0;              ///< collectives of the rank
  std::int64_t waited = 0;         ///< ns that other ranks waited in these collectives
  std::int64_t communicating = 0;  ///< ns that these ranks spent in them: "97 ms of 134"
  bool slept = false;              ///< of a line: it was blocked
  std::string name;                ///< of a kernel, copy or call
  std::string function, file;      ///< of the program; empty: not recorded
  std::int64_t line = 0;           ///< 0: not recorded
  std::size_t collective = 0;      ///< in RankReport::collectives, before which it delayed the most
  SliceId slice = no_slice;        ///< there, in the rank's trace
};

/// What the ranks of a LateGroup have in common.
enum class LatePlace : std::uint8_t { none, host, process_group };

/// Ranks that are late by the same cause.
struct LateGroup {
  std::vector<std::size_t> causes;  ///< in RankReport::causes, one for each rank, the most expensive first
  std::vector<std::size_t> ranks;   ///< indexes in RankReport::ranks, ascending
  LatePlace place = LatePlace::none;
  std::string name;      ///< of the host or the process group; may be empty
  std::size_t size = 0;  ///< ranks of the host or of the process group
};

/// A rank that comes last nearly always, for which the others wait, without a cause.
struct LastRank {
  std::size_t rank = 0;     ///< index in RankReport::ranks
  std::size_t last_in = 0;  ///< collectives in which it arrives last
  std::size_t of = 0;       ///< collectives of the rank
  double slower_cpu = 0;    ///< 0.2: its CPU needs 20 % more time than the median of the others between collectives
};

/// Why nobody can be cleared although no cause was found.
enum class RankDoubt : std::uint8_t {
  none,
  missing,  ///< traces of ranks are not open; all may wait for one of these
  clocks,   ///< delays that cost this much of the run could be within the uncertainty of the clocks
};

/// All ranks together. Empty without at least two ranks.
struct RankReport {
  std::vector<RankDigest> ranks;     ///< by number
  std::vector<ProcessGroup> groups;  ///< of all ranks, by name; groups of equal names and other ranks stay apart
  Alignment alignment;
  std::vector<MatchedCollective> collectives;  ///< of at least two open ranks, by last arrival
  std::vector<LateCause> causes;               ///< the most expensive first
  std::vector<LateGroup> late_groups;          ///< all causes, each in one group; the most expensive first
  std::optional<LastRank> always_last;         ///< if there is no cause
  RankDoubt doubt = RankDoubt::none;           ///< if there is no cause
  std::vector<std::string> problems;           ///< what does not belong together, is missing or mixed: one line each
  std::int64_t begin = 0, end = 0;             ///< common clock

  bool empty() const { return ranks.size() < 2; }
  std::int64_t waited(std::size_t rank) const;  ///< ns in all collectives
};

/// Puts the ranks in order, aligns clocks, matches collectives and finds causes. Digests of equal ranks: the first
/// stays, the others are named in `problems`.
RankReport rank_report(std::vector<RankDigest> digests);

// Its parts, in this order. -------------------------------------------------------------------------------------------

/// Leaves out the digests of a run with another number of ranks than most, and names them in `problems`.
void leave_out_other_runs(std::vector<RankDigest>& digests, std::vector<std::string>& problems);
/// Fills groups and collectives: members, kinds, sizes, steps. Times of members are local until time_collectives().
void match_collectives(RankReport& report);
/// Finds the clocks from the ends of matched collectives.
Alignment align_clocks(const RankReport& report);
/// Fills the times of collectives and members by the clocks.
void time_collectives(RankReport& report);
/// Finds why ranks arrive late: fills causes, always_last and doubt.
void find_late_causes(RankReport& report);
/// Puts ranks together that are late by the same cause: fills late_groups.
void group_late_ranks(RankReport& report);

/// Whether several ranks recorded it.
inline bool is_shared(const MatchedCollective& collective) { return collective.members.size() > 1; }
/// Number of collectives that several ranks recorded.
std::size_t shared_collectives(const RankReport& report);

/// Whether its arrivals can be compared: the ranks recorded it as the same collective, and all wait for the last one.
inline bool has_skew(const MatchedCollective& collective) { return joins_all(collective.kind) && !collective.mixed; }
/// Nanoseconds between the first and the last arrival; 0 if they cannot be compared.
std::int64_t skew_of(const MatchedCollective& collective);
/// The middle skew of the collectives that have one; 0 without any.
std::int64_t median_skew(const RankReport& report);

}  // namespace warpwalk::analysis
