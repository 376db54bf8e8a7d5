#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/ranks/rank_digest.h"
#include "core/base/result.h"

namespace warpwalk::analysis {

// A digest is a file with what the comparison of ranks keeps of one trace (docs/digests.md): JSON, compressed with
// gzip, that names and explains its columns.

/// The version that is written, and the only one that is read.
constexpr int digest_version = 1;

/// The trace of which a digest is made.
struct DigestedTrace {
  std::string place;        ///< its path or address, where it is opened later
  std::uint64_t bytes = 0;  ///< its size
};

/// Whether a file is a digest, or is named as one (x.digest): by its first bytes. False for what cannot be read.
bool is_digest_file(const std::filesystem::path& file);

/// The digests of the ranks in one trace as JSON.
std::string digest_json(const std::vector<RankDigest>& digests, const DigestedTrace& trace);

/// Reads what digest_json() wrote. `name`: of the file, in messages. On failure: one line.
base::Result<std::vector<RankDigest>> digests_in(std::string_view json, const std::filesystem::path& file);

/// Reads a digest. Where its trace has been moved together with it, RankDigest::file is the trace beside it. On
/// failure: one line, which names the file.
base::Result<std::vector<RankDigest>> read_digest_file(const std::filesystem::path& file);

/// A trace with the collectives of a digest and nothing else, for scenes about the ranks while the rank's own trace is
/// elsewhere. Its slices are not those of that trace.
std::string trace_json_of(const RankDigest& digest);

}  // namespace warpwalk::analysis
