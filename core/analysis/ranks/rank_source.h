#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/analysis/ranks/read_ranks.h"
#include "core/base/result.h"
#include "core/platform/temporary_folder.h"

namespace warpwalk::analysis {

/// Whether these paths are opened together as the traces of ranks: there are several, or it is a folder.
bool names_ranks(const std::vector<std::filesystem::path>& paths);

/// What these paths are called in messages: the folder, "2 files".
std::string name_of_ranks(const std::vector<std::filesystem::path>& paths);

/// The ranks that were opened together, and the trace to look at.
struct RankSource {
  std::shared_ptr<const RankReport> report;  ///< null: there is one trace only
  std::size_t rank = 0;                      ///< index in the report: whose trace it is
  std::filesystem::path file;                ///< the trace
  bool stand_in = false;  ///< the rank was read from a digest and its trace is elsewhere: `file` has collectives alone
  std::shared_ptr<const platform::TemporaryFolder> folder = {};  ///< deletes `file` if it was made or fetched
};

/// Not chosen: the rank to blame first, else the first one.
constexpr std::int64_t any_rank = -1;

/// Reads the traces of a folder or of several files, and chooses the rank of this number. On failure: one line, which
/// names the paths.
base::Result<RankSource> read_rank_source(const std::vector<std::filesystem::path>& paths, std::int64_t number,
                                          const RanksOptions& options = {});

/// The same of a report that is there already. A trace at an address is fetched if its rank was chosen by number;
/// `cancel` stops that.
base::Result<RankSource> source_of(std::shared_ptr<const RankReport> report, std::int64_t number,
                                   const std::atomic<bool>* cancel = nullptr);

/// The ranks of a file into which several were merged; null for any other trace, and if none has collectives.
std::shared_ptr<const RankReport> merged_report(const trace::Trace& trace, const std::filesystem::path& file);

}  // namespace warpwalk::analysis
