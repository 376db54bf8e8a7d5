#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/analysis/ranks/rank_report.h"
#include "core/words/narration.h"

namespace warpwalk::words {

/// A time with three digits, as in a sentence: "820 µs", "8.1 ms", "134 ms". The sign is kept.
std::string short_time_text(std::int64_t ns);

/// "Rank 1": its number, as the file has it.
std::string rank_name(const Narration& narration, const analysis::RankReport& report, std::size_t rank);

/// "all-reduces": the plural of a kind of collective.
std::string collectives_name(const Narration& narration, analysis::CollectiveKind kind);

/// "load_batch (train.py:31)", "train.py:31" or "load_batch"; empty if the trace records neither.
std::string place_text(const analysis::LateCause& cause);

/// What delayed the rank, without its effect: "load_batch (train.py:31) slept".
std::string late_cause_text(const Narration& narration, const analysis::LateCause& cause);

/// Why a rank arrives late and who waits for it, in one sentence, or two if the trace does not show why.
std::string late_text(const Narration& narration, const analysis::RankReport& report, const analysis::LateCause& cause);

/// Which ranks are late together: "Rank 5", "Ranks 512 to 519, one host (node64)".
std::string late_ranks_text(const Narration& narration, const analysis::RankReport& report,
                            const analysis::LateGroup& group);

/// The same as late_text, of all ranks that are late by one cause.
std::string late_group_text(const Narration& narration, const analysis::RankReport& report,
                            const analysis::LateGroup& group);

/// That no rank is late by a cause, and which one always comes last all the same.
std::string nobody_text(const Narration& narration, const analysis::RankReport& report);

/// One paragraph: ranks, groups and collectives, how well the clocks agree, and the verdict.
std::string ranks_text(const Narration& narration, const analysis::RankReport& report);

}  // namespace warpwalk::words
