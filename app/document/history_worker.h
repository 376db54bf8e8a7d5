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
#include "core/run/replay/number_trail.h"
#include "core/story/stage/history_view.h"

namespace warpwalk::document {

/// Builds the history of one kernel at a time in a thread, and then simulates its cycles: first a short part, so that
/// the window can show something soon, then as much as the options allow, then again on a changed GPU if one is
/// requested. Nothing waits for it: a new request cancels work that is no longer needed.
class HistoryWorker {
 public:
  HistoryWorker() = default;
  HistoryWorker(const HistoryWorker&) = delete;
  HistoryWorker& operator=(const HistoryWorker&) = delete;
  /// Cancels the work and waits for its end.
  ~HistoryWorker();

  /// Asks for the history of this kernel; does nothing if it was asked for already. The worker fills in the cancel and
  /// progress of `options`.
  void want(std::shared_ptr<const Document> document, story::SliceId kernel, const run::HistoryOptions& options);
  /// Asks for the cycles of the same kernel on a changed GPU; does nothing if they were asked for already.
  void want_changed(const run::WhatIf& what_if);
  /// Asks where a number of the same kernel's result comes from; does nothing if that was asked for already.
  void want_number(const std::optional<run::NumberRequest>& number);
  /// Drops the request and cancels its work.
  void want_none();
  /// The state of the requested history. Its pointers stay valid until another kernel is asked for.
  story::HistoryView view() const;
  /// Whether the history or its cycles are being simulated.
  bool busy() const;

 private:
  struct Job {
    std::shared_ptr<const Document> document;  // keeps the trace alive
    story::SliceId kernel = story::no_slice;
    run::HistoryOptions options;
  };
  /// What was simulated for the last request.
  struct Results {
    std::shared_ptr<const run::History> history;
    std::string reason;                             // why the history is missing
    std::shared_ptr<run::TimeTravel> first_cycles;  // of the history; kept while the window may use them
    std::shared_ptr<run::TimeTravel> travel;        // as much as the options allow
    std::string no_travel;                          // why it is missing
    std::shared_ptr<run::TimeTravel> changed;       // on the changed GPU; null until it is ready
    std::string no_changed;                         // why it is missing
    std::shared_ptr<const run::NumberTrail> trail;  // of the number that is asked for; null until it is ready
    std::string no_trail;                           // why it is missing
    bool lacks_trail() const { return travel != nullptr && trail == nullptr && no_trail.empty(); }
    // Whether a changed GPU could be simulated, and has not been.
    bool lacks_change() const { return travel != nullptr && changed == nullptr && no_changed.empty(); }
  };
  void work();
  void ask(std::optional<Job> job);
  void simulate_cycles(std::unique_lock<std::mutex>& lock, const Job& job);
  void simulate_changed(std::unique_lock<std::mutex>& lock, const Job& job);
  void find_number(std::unique_lock<std::mutex>& lock, const Job& job);

  // The last request; the thread does not use these.
  std::shared_ptr<const Document> document_;
  story::SliceId kernel_ = story::no_slice;

  std::atomic<bool> cancel_ = false;              // of the history and its cycles
  std::atomic<bool> cancel_changed_ = false;      // of the cycles on the changed GPU
  std::atomic<bool> cancel_number_ = false;       // of the search for the number
  std::atomic<std::uint64_t> done_ = 0, of_ = 0;  // blocks: of the history, of its cycles, of those with a change
  mutable std::mutex mutex_;                      // guards the members below
  std::condition_variable asked_;
  std::optional<Job> next_;
  bool end_ = false;
  run::WhatIf what_if_;                       // the change that is asked for
  std::optional<run::NumberRequest> number_;  // that is asked for
  Results results_;
  std::thread thread_;
};

}  // namespace warpwalk::document
