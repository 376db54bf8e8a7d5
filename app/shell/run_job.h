#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "app/shell/document.h"
#include "core/run/run_expression.h"

namespace warpwalk::shell {

/// What came of a run: the walk as a document, and what the panel shows; or one line.
struct RunOutcome {
  std::shared_ptr<const Document> document;  ///< null where there is none
  std::string said;                          ///< one line
  std::vector<run::OpCheck> checks;
};

/// Runs an expression beside the window. One at a time.
class RunJob {
 public:
  RunJob() = default;
  RunJob(const RunJob&) = delete;
  RunJob& operator=(const RunJob&) = delete;
  /// Cancels, and waits for that.
  ~RunJob();

  /// `request` without cancel, progress and clock. Only where none is under way.
  void start(run::RunRequest request, const std::filesystem::path& name);
  /// It ends soon; poll() says so.
  void cancel() { cancel_ = true; }
  bool busy() const { return thread_.joinable(); }
  /// What is computed now, and how far it is, 0 to 1.
  std::pair<std::string, double> progress() const;
  /// What came of it once it has ended; then another can start.
  std::optional<RunOutcome> poll();

 private:
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> ended_ = false;
  RunOutcome outcome_;  // once it has ended
  mutable std::mutex mutex_;
  std::string what_;
  double share_ = 0;
};

}  // namespace warpwalk::shell
