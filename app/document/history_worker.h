#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/document/document.h"
#include "core/run/replay/history.h"
#include "core/story/stage/history_view.h"

namespace warpwalk::document {

/// Builds the history of one kernel at a time beside the window. Nobody waits for it: asking for another kernel
/// cancels the one under way, which ends by itself.
class HistoryWorker {
 public:
  HistoryWorker() = default;
  HistoryWorker(const HistoryWorker&) = delete;
  HistoryWorker& operator=(const HistoryWorker&) = delete;
  /// Cancels, and waits for that.
  ~HistoryWorker();

  /// The kernel that is wanted from now on; nothing happens where it is already. `options` without cancel and progress.
  void want(std::shared_ptr<const Document> document, story::SliceId kernel, const run::HistoryOptions& options);
  /// None is wanted.
  void want_none();
  /// How far the wanted one is. What it points at stays until another kernel is wanted.
  story::HistoryView view() const;
  bool busy() const { return view().state == story::HistoryView::State::building; }

 private:
  struct Job {
    std::shared_ptr<const Document> document;  // keeps the trace
    story::SliceId kernel = story::no_slice;
    run::HistoryOptions options;
  };
  void work();
  void ask(std::optional<Job> job);

  // What the window asked for last; the thread does not look at these.
  std::shared_ptr<const Document> document_;
  story::SliceId kernel_ = story::no_slice;

  std::atomic<bool> cancel_ = false;
  std::atomic<std::uint64_t> done_ = 0, of_ = 0;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable asked_;
  std::optional<Job> next_;
  bool end_ = false;
  std::shared_ptr<const run::History> history_;  // of kernel_
  std::string reason_;                           // why there is none
  std::thread thread_;
};

}  // namespace warpwalk::document
