// Reads the traces of the ranks of a run: several files at once, as memory allows. Of each only the digest is kept.
#include "core/analysis/ranks/read_ranks.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/ranks/digest_file.h"
#include "core/analysis/ranks/rank_identity.h"
#include "core/platform/read_file.h"
#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
namespace {

constexpr std::string_view left_out = "it is left out";

std::uint64_t size_on_disk(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

// Bytes of the text in the file. gzip ends with this size modulo 2^32; traces shrink to a quarter and less.
std::uint64_t size_as_text(const std::filesystem::path& file, std::uint64_t on_disk) {
  std::ifstream in(file, std::ios::binary);
  std::array<unsigned char, 4> bytes{};
  const auto read = [&](std::size_t count) {
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
    return in.good();
  };
  if (on_disk < 18 || !read(2) || bytes[0] != 0x1f || bytes[1] != 0x8b) return on_disk;
  in.seekg(-4, std::ios::end);
  if (!read(4)) return on_disk;
  std::uint64_t text = 0;
  for (std::size_t i = 4; i-- > 0;) text = text << 8 | bytes[i];
  while (text < 4 * on_disk && on_disk > (std::uint64_t{1} << 28)) text += std::uint64_t{1} << 32;
  return std::max(text, on_disk);
}

// What reading a file takes, by measurement: half of the text (docs/performance.md), and what the digest needs.
std::uint64_t memory_of(const std::filesystem::path& file, std::uint64_t on_disk) {
  constexpr std::uint64_t least = std::uint64_t{8} << 20;
  return least + size_as_text(file, on_disk) / 4 * 3;
}

bool has_work(const RankDigest& digest) {
  return !digest.collectives.empty() || digest.computing > 0 || digest.communicating > 0;
}

/// Reads the files on several threads. The next one begins when its estimated memory fits beside those being read.
class FilesReader {
 public:
  FilesReader(const std::vector<std::filesystem::path>& files, const RanksOptions& options)
      : files_(files), options_(options), readings_(files.size()), read_(files.size()) {
    progress_.files = files.size();
    for (const std::filesystem::path& file : files) {
      sizes_.push_back(size_on_disk(file));
      progress_.total += sizes_.back();
    }
  }

  /// In the order of the files; nullopt: cancelled.
  std::optional<std::vector<RankFile>> read() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const std::size_t wanted = options_.threads > 0 ? static_cast<std::size_t>(options_.threads) : cores;
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < std::min(wanted, files_.size()); ++i) threads.emplace_back([this] { work(); });
    }
    if (cancelled_) return {};
    return std::move(readings_);
  }

 private:
  void work() {
    while (const auto at = next()) {
      const std::filesystem::path& file = files_[*at];
      trace::ReadOptions options;
      options.on_progress = [this, at](const trace::ReadProgress& now) { return report(*at, now.bytes_read, false); };
      try {
        readings_[*at] = read_rank_file(file, static_cast<std::int64_t>(*at), options);
      } catch (const std::bad_alloc&) {
        readings_[*at] = {{}, file.string() + ": does not fit into memory"};
      }
      report(*at, sizes_[*at], true);
      const std::lock_guard lock(mutex_);
      memory_ -= taken_.extract(*at).mapped();
      freed_.notify_all();
    }
  }

  // The next file, once there is room for it; none: all are read or being read, or it was cancelled.
  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    if (next_ == files_.size() || cancelled_) return {};
    const std::size_t at = next_++;
    const std::uint64_t needed = memory_of(files_[at], sizes_[at]);
    freed_.wait(lock, [&] { return cancelled_ || taken_.empty() || memory_ + needed <= options_.memory; });
    if (cancelled_) return {};
    taken_[at] = needed;
    memory_ += needed;
    return at;
  }

  // Returns false if reading was cancelled.
  bool report(std::size_t at, std::uint64_t bytes, bool done) {
    const std::lock_guard lock(mutex_);
    progress_.bytes += bytes - read_[at];
    read_[at] = bytes;
    progress_.done += done ? 1 : 0;
    if (!cancelled_ && options_.on_progress && !options_.on_progress(progress_)) {
      cancelled_ = true;
      freed_.notify_all();
    }
    return !cancelled_;
  }

  const std::vector<std::filesystem::path>& files_;
  const RanksOptions& options_;
  std::vector<RankFile> readings_;    // each is written by the thread that reads the file
  std::vector<std::uint64_t> sizes_;  // of the files
  std::mutex mutex_;                  // guards the members below
  std::condition_variable freed_;
  std::vector<std::uint64_t> read_;             // bytes of each file
  std::map<std::size_t, std::uint64_t> taken_;  // the files being read, and the memory that they need
  std::uint64_t memory_ = 0;                    // of these together
  std::size_t next_ = 0;
  RanksProgress progress_;
  bool cancelled_ = false;
};

// A trace without collectives may be that of another program.
void leave_out_strangers(std::vector<RankDigest>& digests, std::vector<std::string>& problems) {
  leave_out_other_runs(digests, problems);
  std::erase_if(digests, [&](const RankDigest& digest) {
    const bool stranger = digest.collectives.empty() && digest.identity.world <= 1;
    if (stranger) problems.push_back(fmt::format("{}: has no collectives; {}", digest.file.string(), left_out));
    return stranger;
  });
}

// Ranks of which only the order is known get the numbers that no other has.
void number_unknown_ranks(std::vector<RankDigest>& digests) {
  std::set<std::int64_t> taken;
  for (const RankDigest& digest : digests)
    if (digest.identity.from != RankFrom::order) taken.insert(digest.identity.rank);
  std::int64_t next = 0;
  for (RankDigest& digest : digests) {
    if (digest.identity.from != RankFrom::order) continue;
    while (taken.contains(next)) ++next;
    digest.identity.rank = next++;
  }
}

bool is_trace_by_name(const std::string& name) {
  if (name.starts_with('.') || name.ends_with(".notes.json")) return false;  // notes on a trace, beside it
  for (const std::string_view ending : {".json", ".json.gz", ".sqlite", ".digest"})
    if (name.ends_with(ending)) return true;
  return false;
}

std::filesystem::path name_before_ending(const std::filesystem::path& file) {
  std::filesystem::path name = file;
  if (name.extension() == ".gz") name.replace_extension();
  return name.replace_extension();
}

}  // namespace

std::vector<std::filesystem::path> rank_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error); !error && at != std::filesystem::directory_iterator();
       at.increment(error)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown) && is_trace_by_name(at->path().filename().string())) files.push_back(at->path());
  }
  std::ranges::sort(files);
  // rank3.digest is of rank3.json.gz, which need not be read again.
  std::set<std::filesystem::path> digested_files;
  for (const std::filesystem::path& file : files)
    if (file.extension() == ".digest") digested_files.insert(name_before_ending(file));
  std::erase_if(files, [&](const std::filesystem::path& file) {
    return file.extension() != ".digest" && digested_files.contains(name_before_ending(file));
  });
  return files;
}

RankFile read_rank_file(const std::filesystem::path& file, std::int64_t place, const trace::ReadOptions& options) {
  RankFile reading;
  // Opening a pipe would wait for a writer.
  if (const auto regular = platform::check_regular_file(file); !regular) {
    reading.problem = regular.error();
    return reading;
  }
  if (is_digest_file(file)) {
    auto digests = read_digest_file(file);
    if (digests)
      reading.digests = *std::move(digests);
    else
      reading.problem = digests.error();
    return reading;
  }
  const trace::ReadResult read = trace::read_trace(file, options);
  if (read.error) {
    reading.problem = *read.error;
    return reading;
  }
  if (read.trace.slices.size() == 0) {
    reading.problem = file.string() + ": has no events";
    return reading;
  }
  for (const trace::Problem& problem : read.problems.rows())
    if (reading.problem.empty() && trace::loses_data(problem.kind))
      reading.problem = fmt::format("{}: {}", file.string(), problem.message);
  reading.digests = digests_of(read.trace, file, place);
  const std::int64_t world = reading.digests.front().identity.world;
  std::erase_if(reading.digests, [](const RankDigest& digest) { return !has_work(digest); });
  if (!reading.digests.empty() || !reading.problem.empty()) return reading;
  reading.problem = file.string() + (!read.trace.kernel_order.empty() ? ": has no times of GPU work and no collectives"
                                     : world > 1                      ? ": has no GPU work and no collectives"
                                                 : ": has no GPU work and no collectives, as the trace of a launcher");
  return reading;
}

base::Result<RankReport> read_ranks(const std::vector<std::filesystem::path>& files, const RanksOptions& options) {
  auto readings = FilesReader(files, options).read();
  if (!readings) return base::Error{"reading was cancelled"};
  std::vector<RankDigest> digests;
  std::vector<std::string> problems;
  for (RankFile& reading : *readings) {
    if (!reading.problem.empty())
      problems.push_back(reading.digests.empty() ? fmt::format("{}; {}", reading.problem, left_out) : reading.problem);
    std::ranges::move(reading.digests, std::back_inserter(digests));
  }
  if (digests.empty() && files.empty()) return base::Error{"there are no traces; give the trace of each rank"};
  if (digests.empty() && files.size() == 1) return base::Error{readings->front().problem};
  if (digests.empty())
    return base::Error{
        fmt::format("none of {} files is the trace of a rank; the first: {}", files.size(), readings->front().problem)};
  if (digests.size() > 1) {
    leave_out_strangers(digests, problems);
    number_unknown_ranks(digests);
    RankReport report;
    if (digests.size() > 1) report = rank_report(std::move(digests));
    report.problems.insert(report.problems.begin(), problems.begin(), problems.end());
    if (!report.empty()) return report;
    return base::Error{fmt::format("these traces are not of one distributed run{}; open one of them by its file name",
                                   report.problems.empty() ? "" : ": " + report.problems.front())};
  }
  RankReport alone;
  alone.ranks = std::move(digests);
  alone.problems = std::move(problems);
  return alone;
}

}  // namespace warpwalk::analysis
