#include "core/analysis/ranks/rank_source.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/ranks/digest_file.h"
#include "core/analysis/ranks/rank_groups.h"
#include "core/analysis/ranks/rank_identity.h"
#include "core/platform/fetch_address.h"
#include "core/platform/output_file.h"
#include "core/trace/flight/read_dump.h"

namespace warpwalk::analysis {
namespace {

bool is_folder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

// Whether a folder has a dump of PyTorch's flight recorder.
bool has_hang_dump(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error); !error && at != std::filesystem::directory_iterator();
       at.increment(error))
    if (trace::flight::may_be_dump(at->path())) return true;
  return false;
}

base::Result<std::vector<std::filesystem::path>> files_of(const std::vector<std::filesystem::path>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& path : paths) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
      return base::Error{path.string() + ": there is no such file; give a folder, or the trace of each rank"};
    if (is_folder(path))
      std::ranges::move(rank_files(path), std::back_inserter(files));
    else
      files.push_back(path);
  }
  if (files.empty() && std::ranges::any_of(paths, has_hang_dump))
    return base::Error{fmt::format(
        "{0}: has dumps of PyTorch's flight recorder and no traces; warpwalk info {0} says which rank is missing where",
        name_of_ranks(paths))};
  if (files.empty())
    return base::Error{fmt::format(
        "{}: has no traces (.json, .json.gz, .sqlite or .digest); give a folder with the trace of each rank, or a file",
        name_of_ranks(paths))};
  return files;
}

// The trace of a rank that was read from a digest. It is fetched if it was `chosen`; else the collectives in the digest
// are enough to begin with.
base::Result<void> place_file(RankSource& source, const RankDigest& digest, bool chosen,
                              const std::atomic<bool>* cancel) {
  std::error_code unknown;
  const bool remote = platform::is_address(digest.file.string());
  if (!remote && std::filesystem::exists(digest.file, unknown)) return {};
  if (chosen && !remote)
    return base::Error{fmt::format("rank {}: its trace {} is not on this machine; copy it beside its digest {}",
                                   digest.identity.rank, digest.file.string(), digest.digest.string())};
  auto folder = std::make_shared<platform::TemporaryFolder>();
  if (folder->path().empty())
    return base::Error{"no temporary folder can be created; set TMPDIR to a folder with free space"};
  if (chosen) {
    auto fetched = platform::fetch_address(digest.file.string(), folder->path(), platform::FetchBar::none, cancel);
    if (!fetched) return base::Error{fmt::format("rank {}: {}", digest.identity.rank, fetched.error())};
    source.file = *std::move(fetched);
  } else {
    source.file = folder->path() / digest.digest.filename();
    if (const auto written = platform::write_regular_file(source.file, trace_json_of(digest)); !written)
      return base::Error{written.error()};
    source.stand_in = true;
  }
  source.folder = std::move(folder);
  return {};
}

}  // namespace

bool names_ranks(const std::vector<std::filesystem::path>& paths) {
  return paths.size() > 1 || (paths.size() == 1 && is_folder(paths.front()));
}

std::string name_of_ranks(const std::vector<std::filesystem::path>& paths) {
  return paths.size() == 1 ? paths.front().string() : fmt::format("{} files", paths.size());
}

base::Result<RankSource> source_of(std::shared_ptr<const RankReport> report, std::int64_t number,
                                   const std::atomic<bool>* cancel) {
  RankSource source;
  if (number == any_rank) {
    if (!report->causes.empty()) source.rank = report->causes.front().rank;
  } else {
    const auto at =
        std::ranges::find(report->ranks, number, [](const RankDigest& digest) { return digest.identity.rank; });
    if (at == report->ranks.end()) {
      std::vector<std::int64_t> numbers;
      for (const RankDigest& digest : report->ranks) numbers.push_back(digest.identity.rank);
      return base::Error{fmt::format("there is no rank {}; the ranks are {}", number, ranks_list(numbers))};
    }
    source.rank = static_cast<std::size_t>(at - report->ranks.begin());
  }
  const RankDigest& digest = report->ranks[source.rank];
  source.file = digest.file;
  if (!digest.digest.empty())
    if (const auto placed = place_file(source, digest, number != any_rank, cancel); !placed)
      return base::Error{placed.error()};
  source.report = std::move(report);
  return source;
}

base::Result<RankSource> read_rank_source(const std::vector<std::filesystem::path>& paths, std::int64_t number,
                                          const RanksOptions& options) {
  const auto files = files_of(paths);
  if (!files) return base::Error{files.error()};
  if (files->size() == 1 && !is_digest_file(files->front())) return RankSource{nullptr, 0, files->front()};
  auto report = read_ranks(*files, options);
  if (!report) return base::Error{fmt::format("{}: {}", name_of_ranks(paths), report.error())};
  if (report->empty() && !report->ranks.front().digest.empty())
    return base::Error{
        fmt::format("{}: has the digest of one rank; give the digests or traces of all ranks", name_of_ranks(paths))};
  if (report->empty()) return RankSource{nullptr, 0, report->ranks.front().file};
  return source_of(std::make_shared<const RankReport>(*std::move(report)), number, options.cancel_fetch);
}

std::shared_ptr<const RankReport> merged_report(const trace::Trace& trace, const std::filesystem::path& file) {
  if (merged_ranks(trace).empty()) return nullptr;
  std::vector<RankDigest> digests = digests_of(trace, file);
  const auto has_collectives = [](const RankDigest& digest) { return !digest.collectives.empty(); };
  if (std::ranges::none_of(digests, has_collectives)) return nullptr;
  auto report = std::make_shared<const RankReport>(rank_report(std::move(digests)));
  return report->empty() ? nullptr : report;
}

}  // namespace warpwalk::analysis
