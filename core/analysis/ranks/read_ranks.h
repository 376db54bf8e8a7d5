#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "core/analysis/ranks/rank_report.h"
#include "core/base/result.h"

namespace warpwalk::analysis {

struct RanksProgress {
  std::size_t done = 0, files = 0;
  std::uint64_t bytes = 0, total = 0;  ///< of the files
};

struct RanksOptions {
  int threads = 0;                                ///< files that are read at once; 0: as many as cores
  std::uint64_t memory = std::uint64_t{6} << 30;  ///< bytes that the traces read at once may take (estimated)
  std::function<bool(const RanksProgress&)> on_progress = {};  ///< called on any thread, one at a time; false cancels
};

/// The files of one distributed run in a folder: .json, .json.gz and .sqlite traces, not below it. By name.
std::vector<std::filesystem::path> rank_files(const std::filesystem::path& folder);

/// Reads the traces, keeps a digest of each and compares them. Files that are no traces, or that do not belong to the
/// run, are named in RankReport::problems. Fails if fewer than one trace can be read, or if it was cancelled; one line.
base::Result<RankReport> read_ranks(const std::vector<std::filesystem::path>& files, const RanksOptions& options = {});

}  // namespace warpwalk::analysis
