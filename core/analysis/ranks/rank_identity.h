#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"

namespace warpwalk::analysis {

/// The tracks of one rank in a file into which several ranks were merged.
struct RankTracks {
  std::int64_t rank = 0;
  std::vector<bool> tracks;  ///< by TrackId
};

/// The ranks of a merged file, by number; empty if it has the trace of one rank only. Numbers are those in the names of
/// processes ("rank 3", "[TP03] 700"); if these have none or equal ones, ranks count from 0 in the order of the names.
std::vector<RankTracks> merged_ranks(const Trace& trace);

/// The number of a rank that a file's name says: "trace_rank1.json.gz", "rank-3.pt.trace.json", "r12.json",
/// "out_0.json", or its folder's, "rank1/trace.json". Nullopt if it says none; the process number and the time in names
/// that torch.profiler gives ("host_4242.1700000000000.pt.trace.json") are none.
std::optional<std::int64_t> rank_of_file(const std::filesystem::path& file);

/// Whose trace it is. `place`: the file's number among all, which is the rank if nothing else tells it.
RankIdentity identity_of(const Trace& trace, const std::filesystem::path& file, std::int64_t place);

/// The digests of a trace: one, or one for each rank that was merged in the file. `place`: as for identity_of().
std::vector<RankDigest> digests_of(const Trace& trace, const std::filesystem::path& file, std::int64_t place = 0);

}  // namespace warpwalk::analysis
