#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/ranks/hang/hang_report.h"
#include "core/words/narration.h"

namespace warpwalk::words {

/// "rank 3", "ranks 0, 1 and 4 to 7". `ranks`: sorted.
std::string rank_list(const Narration& narration, const std::vector<std::int64_t>& ranks);

/// "group 0 (default_pg)".
std::string hang_group(const Narration& narration, const analysis::HangGroup& group);

/// "train.py:41": the file without its folder; empty if the dump has no lines.
std::string hang_place(const analysis::HangCall& call);

/// "2026-11-29 18:46:34 UTC". `ns`: since 1970.
std::string moment_text(std::int64_t ns);

/// Who waits for whom in one call, and where.
std::string wait_text(const Narration& narration, const analysis::HangReport& report, const analysis::Wait& wait);

/// The answer: the first wait, or that nothing is open.
std::string hang_verdict(const Narration& narration, const analysis::HangReport& report);

}  // namespace warpwalk::words
