#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "app/document/document.h"
#include "core/analysis/predict/prediction.h"

namespace warpwalk::runs {

/// What is known of some changes, predicted together. The prediction is without its graph and times.
struct PredictedChanges {
  analysis::Prediction prediction;
  std::string error;  ///< the trace does not have what a change names; empty: it has
};

/// Predicts changes of a document in a thread, one set after the other, so that the window never waits.
class PredictJob {
 public:
  /// Changes that are predicted together, as they are written.
  using Set = std::vector<std::string>;

  PredictJob() = default;
  PredictJob(const PredictJob&) = delete;
  PredictJob& operator=(const PredictJob&) = delete;
  ~PredictJob() { stop(); }

  /// Starts anew, with the sets to predict in this order. `known`: the descriptions of GPUs.
  void start(std::shared_ptr<const document::Document> document, std::vector<gpu::Device> known, std::vector<Set> sets);
  /// Predicts this set next, if it is not known yet.
  void want(const Set& set);
  /// Makes the trace of this set, as a document with this name.
  void make(const Set& set, std::filesystem::path name);
  /// Ends the work; what is known stays.
  void stop();
  /// The same, and forgets the document and what is known of it.
  void forget();
  /// Takes over what is ready; called in each frame.
  void watch();
  bool busy() const { return thread_.joinable(); }
  /// Whether the trace of a set is being made.
  bool making() const;

  /// Null: not known yet.
  const PredictedChanges* find(const Set& set) const;
  /// The document once it is made, else null.
  std::shared_ptr<const document::Document> take_made();

 private:
  struct Task {
    Set set;
    std::filesystem::path name;  // of the document to make; empty: only predict
  };
  void add(Task task);
  void run();
  void work_on(const Task& task, analysis::Predictor& predictor);

  std::shared_ptr<const document::Document> document_;
  std::vector<gpu::Device> known_;
  std::thread thread_;
  std::atomic<bool> cancel_ = false;
  std::map<Set, PredictedChanges> results_;  // of the window's thread
  mutable std::mutex mutex_;                 // guards the members below
  std::deque<Task> tasks_;
  bool making_ = false, ended_ = false;
  std::map<Set, PredictedChanges> ready_;
  std::set<Set> done_;  // of which there is a result
  std::shared_ptr<const document::Document> made_;
  std::shared_ptr<analysis::Predictor> predictor_;  // of the thread, kept for the next one
};

/// Reads changes as --change takes them; those that are none are left out.
std::vector<analysis::Change> read_changes(const PredictJob::Set& set);

}  // namespace warpwalk::runs
