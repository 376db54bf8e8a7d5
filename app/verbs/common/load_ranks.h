#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_source.h"
#include "core/base/result.h"

namespace warpwalk::verbs {

/// Reads the traces of a folder or of several files, as analysis::read_rank_source does. On a terminal it shows the
/// progress. `memory`: bytes that the traces read at once may take; 0 for the default.
base::Result<analysis::RankSource> load_ranks(const std::vector<std::filesystem::path>& paths, std::int64_t number,
                                              std::uint64_t memory);

/// The error of --rank without several traces; empty: there is none.
std::string rank_without_ranks(std::int64_t number, const std::vector<std::filesystem::path>& paths);

}  // namespace warpwalk::verbs
