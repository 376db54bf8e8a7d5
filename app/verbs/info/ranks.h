#pragma once

#include <string>
#include <string_view>

#include "app/verbs/info/json_writer.h"
#include "core/analysis/ranks/rank_report.h"
#include "core/words/narration.h"

namespace warpwalk::verbs {

/// Writes the member "ranks" of an object that is open.
void write_ranks(JsonWriter& json, const analysis::RankReport& report);

/// The output of `info FOLDER --json`.
std::string ranks_json(const analysis::RankReport& report);

/// The output of `info FOLDER`: who waits for whom, the collectives by kind, the ranks, and what is wrong.
std::string ranks_report_text(const words::Narration& words, const analysis::RankReport& report, std::string_view name);

}  // namespace warpwalk::verbs
