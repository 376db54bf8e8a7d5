#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/story/elements/narration.h"
#include "core/story/facts/ranks/rank_report.h"

namespace warpwalk::story {

/// A time with three digits, as in a sentence: "820 µs", "8.1 ms", "134 ms". The sign is kept.
std::string short_time_text(std::int64_t ns);

/// "Rank 1": its number, as the file has it.
std::string rank_name(const Narration& narration, const RankReport& report, std::size_t rank);

/// "all-reduces": the plural of a kind of collective.
std::string collectives_name(const Narration& narration, CollectiveKind kind);

/// "load_batch (train.py:31)", "train.py:31" or "load_batch"; empty if the trace records neither.
std::string place_text(const LateCause& cause);

/// What delayed the rank, without its effect: "load_batch (train.py:31) slept".
std::string late_cause_text(const Narration& narration, const LateCause& cause);

/// Why a rank arrives late and who waits for it, in one sentence, or two if the trace does not show why.
std::string late_text(const Narration& narration, const RankReport& report, const LateCause& cause);

/// That no rank is late by a cause, and which one always comes last all the same.
std::string nobody_text(const Narration& narration, const RankReport& report);

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

/// One paragraph: ranks, groups and collectives, how well the clocks agree, and the verdict.
std::string ranks_text(const Narration& narration, const RankReport& report);

}  // namespace warpwalk::story
