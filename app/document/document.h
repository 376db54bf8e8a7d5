#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/story/facts/track_activity.h"
#include "core/story/stage/outline.h"
#include "core/story/stage/walk.h"
#include "core/trace/chrome/reader.h"

namespace warpwalk::document {

/// A trace that is open, with what the panels need of it.
struct Document {
  std::filesystem::path file;
  trace::ReadResult read;
  story::Outline outline;
  std::vector<story::Lane> lanes;
  bool unsaved = false;  ///< made by a run in the window: `file` is a name for it, and no file
  const trace::Trace& trace() const { return read.trace; }
};

/// Reads a file beside the window. One at a time: opening another cancels the one under way.
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
  /// The document once it is ready; then the loader is free again.
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
