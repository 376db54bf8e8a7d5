#pragma once

#include <string>
#include <string_view>

#include "app/verbs/info/json_writer.h"
#include "core/story/elements/narration.h"
#include "core/story/facts/ranks/rank_report.h"

namespace warpwalk::verbs {

/// Writes the member "ranks" of an object that is open.
void write_ranks(JsonWriter& json, const story::RankReport& report);

/// The output of `info FOLDER --json`.
std::string ranks_json(const story::RankReport& report);

/// The output of `info FOLDER`: who waits for whom, the collectives by kind, the ranks, and what is wrong.
std::string ranks_report_text(const story::Narration& words, const story::RankReport& report, std::string_view name);

}  // namespace warpwalk::verbs
