// Reads the dumps of a folder, or of several files.
#include <algorithm>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/ranks/hang/hang_report.h"
#include "core/analysis/ranks/rank_identity.h"
#include "core/trace/flight/read_dump.h"

namespace warpwalk::analysis {
namespace {

using trace::flight::Dump;
using trace::flight::Dumps;

// The files that may be dumps, sorted by name. All files of a folder are looked at, since PyTorch's names have no
// ending: nccl_trace_rank_0. `others`: how many are none.
std::vector<std::filesystem::path> dump_files(const std::vector<std::filesystem::path>& paths, std::size_t& others) {
  std::vector<std::filesystem::path> files;
  const auto look = [&](const std::filesystem::path& file) {
    if (trace::flight::may_be_dump(file))
      files.push_back(file);
    else
      ++others;
  };
  for (const std::filesystem::path& path : paths) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) {
      look(path);
      continue;
    }
    for (std::filesystem::directory_iterator at(path, error); !error && at != std::filesystem::directory_iterator();
         at.increment(error)) {
      std::error_code unknown;
      if (at->is_regular_file(unknown)) look(at->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::optional<std::int64_t> rank_of_dump(std::filesystem::path file) {
  for (const std::string_view ending : {".gz", ".pickle", ".pkl", ".bin", ".dump"})
    if (file.extension() == ending) file.replace_extension();
  return rank_of_file(file);
}

std::int64_t newest_call(const Dump& dump) {
  std::int64_t newest = 0;
  for (const trace::flight::Call& call : dump.calls) newest = std::max(newest, call.created);
  return newest;
}

// Of two dumps of a rank, the later one is better, and of two at the same time the one with lines and more calls.
bool is_better(const Dump& a, const Dump& b) {
  if (newest_call(a) != newest_call(b)) return newest_call(a) > newest_call(b);
  const auto has_line = [](const trace::flight::Call& call) { return call.line > 0; };
  const bool lines_a = std::ranges::any_of(a.calls, has_line), lines_b = std::ranges::any_of(b.calls, has_line);
  return lines_a != lines_b ? lines_a : a.calls.size() > b.calls.size();
}

// A dump whose calls end long before those of another begin may be left from an earlier run. Ten minutes are the
// timeout after which PyTorch writes dumps, unless the program sets another.
void name_old_dumps(const Dumps& dumps, std::vector<std::string>& problems) {
  constexpr std::int64_t long_before = std::int64_t{600} * 1'000'000'000;
  std::int64_t first_of_newest = 0, newest = 0;
  for (const Dump& dump : dumps.dumps) {
    if (dump.calls.empty() || newest_call(dump) <= newest) continue;
    newest = newest_call(dump);
    first_of_newest = dump.calls.front().created;
  }
  for (const Dump& dump : dumps.dumps)
    if (const std::int64_t last = newest_call(dump); last != 0 && last < first_of_newest - long_before)
      problems.push_back(
          fmt::format("{}: its last call is {} s older than the first one of another dump; it may be of an earlier run",
                      dump.file.string(), (first_of_newest - last) / 1'000'000'000));
}

}  // namespace

bool has_dumps(const std::vector<std::filesystem::path>& paths) {
  std::size_t others = 0;
  return !dump_files(paths, others).empty();
}

base::Result<HangReport> read_hang(const std::vector<std::filesystem::path>& paths) {
  std::size_t others = 0;
  Dumps dumps;
  std::vector<std::int64_t> ranks;
  std::map<std::int64_t, std::size_t> place;  // by rank
  std::vector<std::string> problems;
  for (const std::filesystem::path& file : dump_files(paths, others)) {
    const trace::flight::ReadDump read = trace::flight::read_dump(file, dumps);
    if (!read.is_dump) {
      problems.push_back(*read.error);
      continue;
    }
    const auto rank = rank_of_dump(file);
    if (!rank) {
      dumps.dumps.pop_back();
      problems.push_back(fmt::format(
          "{}: its name does not say its rank; name the dumps as PyTorch does: nccl_trace_rank_0", file.string()));
      continue;
    }
    const auto [known, fresh] = place.try_emplace(*rank, ranks.size());
    if (fresh) {
      ranks.push_back(*rank);
      continue;
    }
    Dump second = std::move(dumps.dumps.back());
    dumps.dumps.pop_back();
    Dump& first = dumps.dumps[known->second];
    if (is_better(second, first)) std::swap(first, second);
    problems.push_back(fmt::format("{}: is a second dump of rank {}, which {} describes better; it is left out",
                                   second.file.string(), *rank, first.file.filename().string()));
  }
  if (dumps.dumps.empty())
    return base::Error{problems.empty() ? "there is no dump of PyTorch's flight recorder" : problems.front()};
  name_old_dumps(dumps, problems);
  HangReport report = hang_report(dumps, ranks);
  report.problems.insert(report.problems.begin(), problems.begin(), problems.end());
  if (others > 0)
    report.problems.push_back(fmt::format("{} other file{} no dump{} of the flight recorder", others,
                                          others == 1 ? " is" : "s are", others == 1 ? "" : "s"));
  return report;
}

}  // namespace warpwalk::analysis
