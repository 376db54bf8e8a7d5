#pragma once

// This folder has the open file and the work on it in the background: reading, histories. Its display is in app/panels
// and app/pages.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/story/elements/walk.h"
#include "core/story/facts/analysis/outline.h"
#include "core/story/facts/analysis/overview.h"
#include "core/story/facts/analysis/track_activity.h"
#include "core/trace/chrome/reader.h"

namespace warpwalk::document {

/// An open trace and what the panels derive from it.
struct Document {
  std::filesystem::path file;
  trace::ReadResult read;
  story::Outline outline;
  std::vector<story::TrackActivity> tracks;
  story::Overview overview;
  std::vector<story::SliceId> recorded;  ///< kernels that were recorded with their memory, by start
  bool unsaved = false;                  ///< made by a run in the window: `file` is only a name
  const trace::Trace& trace() const { return read.trace; }
};

/// Reads a file in a thread. One at a time: opening another file cancels the one that is being read.
class Loader {
 public:
  Loader() = default;
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader() { cancel(); }

  void open(const std::filesystem::path& file);
  void cancel();
  bool busy() const { return thread_.joinable(); }
  const std::filesystem::path& file() const { return file_; }
  trace::ReadProgress progress() const;
  /// Returns the document once it is ready, else null.
  std::shared_ptr<const Document> poll();

 private:
  std::filesystem::path file_;
  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  std::atomic<bool> ready_ = false;
  mutable std::mutex mutex_;
  trace::ReadProgress progress_;
  std::shared_ptr<Document> document_;
};

}  // namespace warpwalk::document
