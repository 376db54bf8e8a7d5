#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/analysis/ranks/rank_report.h"
#include "core/base/result.h"
#include "core/trace/read_result.h"

namespace warpwalk::analysis {

struct RanksProgress {
  std::size_t done = 0, files = 0;
  std::uint64_t bytes = 0, total = 0;  ///< of the files
};

struct RanksOptions {
  int threads = 0;                                  ///< files that are read at once; 0: as many as cores
  std::uint64_t memory = std::uint64_t{6} << 30;    ///< bytes that the traces read at once may take (estimated)
  const std::atomic<bool>* cancel_fetch = nullptr;  ///< set from another thread: stops fetching the chosen rank's trace
  std::function<bool(const RanksProgress&)> on_progress = {};  ///< called on any thread, one at a time; false cancels
};

/// The files of one distributed run in a folder: .json, .json.gz and .sqlite traces and .digest files, not below it. By
/// name. Of a trace and a digest of the same name, the digest.
std::vector<std::filesystem::path> rank_files(const std::filesystem::path& folder);

/// What one file of a run has.
struct RankFile {
  std::vector<RankDigest> digests;  ///< of its ranks; empty: the file is left out
  std::string problem;              ///< one line; may be there beside digests
};

/// Reads a trace or a digest. `place`: the number of a rank whose trace does not say it.
RankFile read_rank_file(const std::filesystem::path& file, std::int64_t place, const trace::ReadOptions& options);

/// Reads the traces, keeps a digest of each and compares them. Files that are no traces, or that do not belong to the
/// run, are named in RankReport::problems. Fails if fewer than one trace can be read, or if it was cancelled; one line.
base::Result<RankReport> read_ranks(const std::vector<std::filesystem::path>& files, const RanksOptions& options = {});

}  // namespace warpwalk::analysis
