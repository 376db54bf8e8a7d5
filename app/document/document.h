#pragma once

// This folder has the open file and the work on it in the background: reading, histories. Its display is in app/panels
// and app/pages.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/analysis/compare/work_profile.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/analysis/time/outline.h"
#include "core/analysis/time/overview.h"
#include "core/analysis/time/track_activity.h"
#include "core/compiled/compiled.h"
#include "core/story/elements/walk.h"
#include "core/trace/read_result.h"
#include "core/words/crash/open_dump.h"

namespace warpwalk::document {

/// An open trace and what the panels derive from it.
struct Document {
  std::filesystem::path file;
  trace::ReadResult read;
  analysis::Outline outline;
  std::vector<analysis::TrackActivity> tracks;
  analysis::Overview overview;
  analysis::WorkProfile work;            ///< what the GPUs did, to compare it with another trace
  std::vector<story::SliceId> recorded;  ///< kernels that were recorded with their memory, by start
  bool unsaved = false;                  ///< made by a run in the window: `file` is only a name
  /// The ranks that were opened together, or are merged in the file; null: it is the trace of one rank.
  std::shared_ptr<const analysis::RankReport> ranks;
  std::size_t rank = 0;   ///< index in `ranks`: whose trace is open
  bool stand_in = false;  ///< of a digest: that trace is elsewhere, and only its collectives are open
  std::shared_ptr<const platform::TemporaryFolder> folder;  ///< with `file`, if that was fetched
  compiled::Compiled compiled;            ///< what compilers wrote of its kernels, kept beside the walk
  std::shared_ptr<words::OpenDump> dump;  ///< a GPU core dump; the trace is then empty. Null: a trace
  const trace::Trace& trace() const { return read.trace; }
};

/// What a Loader reads.
struct Reading {
  std::filesystem::path file;                          ///< not used with `ranks`
  std::vector<std::filesystem::path> ranks;            ///< a folder or files to open together; empty: one trace
  std::int64_t rank = analysis::any_rank;              ///< number of the rank whose trace is opened
  std::shared_ptr<const analysis::RankReport> report;  ///< of `ranks`, if they have been read before
};

/// Reads a file, or the ranks of a run and then the trace of one of them, in a thread. One at a time: opening another
/// file cancels the one that is being read.
class Loader {
 public:
  Loader() = default;
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() { cancel(); }

  void open(const std::filesystem::path& file) { open(Reading{file, {}, analysis::any_rank, nullptr}); }
  void open(Reading what);
  void cancel();
  bool busy() const { return thread_.joinable(); }
  /// What is being read; of ranks, the folder or the first file.
  const std::filesystem::path& file() const { return file_; }
  trace::ReadProgress progress() const;
  /// While ranks are being read and compared.
  std::optional<analysis::RanksProgress> ranks_progress() const;
  /// Returns the document once it is ready, else null.
  std::shared_ptr<const Document> poll();

 private:
  std::filesystem::path file_;
  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> ready_ = false;
  void read_ranks(const Reading& what, Document& document);
  void read_trace(Document& document);

  mutable std::mutex mutex_;  // guards the two below
  trace::ReadProgress progress_;
  std::optional<analysis::RanksProgress> ranks_progress_;
  std::shared_ptr<Document> document_;
};

}  // namespace warpwalk::document
