#include "app/runs/predict_job.h"

#include <algorithm>
#include <utility>

#include "app/runs/run_outcome.h"

namespace warpwalk::runs {

std::vector<analysis::Change> read_changes(const PredictJob::Set& set) {
  std::vector<analysis::Change> changes;
  for (const std::string& text : set)
    if (auto change = analysis::parse_change(text)) changes.push_back(*std::move(change));
  return changes;
}

void PredictJob::start(std::shared_ptr<const document::Document> document, std::vector<gpu::Device> known,
                       std::vector<Set> sets) {
  forget();
  document_ = std::move(document);
  known_ = std::move(known);
  for (Set& set : sets) tasks_.push_back({std::move(set), {}});
  run();
}

void PredictJob::want(const Set& set) {
  if (document_ && !results_.contains(set)) add({set, {}});
}

void PredictJob::make(const Set& set, std::filesystem::path name) {
  if (document_) add({set, std::move(name)});
}

void PredictJob::add(Task task) {
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(tasks_, [&](const Task& one) { return one.set == task.set && one.name == task.name; });
    tasks_.push_front(std::move(task));
  }
  watch();  // a thread that has just ended does not take it
  if (!busy()) run();
}

void PredictJob::run() {
  cancel_ = false;
  ended_ = false;
  thread_ = std::thread([this] {
    if (!predictor_) predictor_ = std::make_shared<analysis::Predictor>(document_->trace(), known_);
    for (;;) {
      Task task;
      {
        const std::lock_guard lock(mutex_);
        if (cancel_ || tasks_.empty()) {
          ended_ = true;
          return;
        }
        task = std::move(tasks_.front());
        tasks_.pop_front();
        if (task.name.empty() && done_.contains(task.set)) continue;
        making_ = !task.name.empty();
      }
      work_on(task, *predictor_);
      const std::lock_guard lock(mutex_);
      making_ = false;
    }
  });
}

void PredictJob::work_on(const Task& task, analysis::Predictor& predictor) {
  auto prediction = predictor.predict(read_changes(task.set), &cancel_);
  if (cancel_) return;
  PredictedChanges result;
  if (!prediction) {
    result.error = prediction.error();
  } else {
    if (!task.name.empty() && prediction->step) {
      trace::ReadResult read;
      read.trace = analysis::changed_trace(document_->trace(), *prediction);
      auto document = unsaved_document(std::move(read), task.name);
      const std::lock_guard lock(mutex_);
      made_ = std::move(document);
    }
    result.prediction = *std::move(prediction);
    result.prediction.graph = {};
    result.prediction.times = {};
  }
  const std::lock_guard lock(mutex_);
  ready_.insert_or_assign(task.set, std::move(result));
  done_.insert(task.set);
}

void PredictJob::stop() {
  if (!busy()) return;
  cancel_ = true;
  thread_.join();
  const std::lock_guard lock(mutex_);
  tasks_.clear();
  making_ = false;
  made_.reset();
}

void PredictJob::forget() {
  stop();
  results_.clear();
  predictor_.reset();
  document_.reset();
  const std::lock_guard lock(mutex_);
  tasks_.clear();
  ready_.clear();
  done_.clear();
  made_.reset();
}

void PredictJob::watch() {
  bool ended = false;
  {
    const std::lock_guard lock(mutex_);
    for (auto& [set, result] : ready_) results_.insert_or_assign(set, std::move(result));
    ready_.clear();
    ended = ended_;
  }
  if (!ended || !busy()) return;
  thread_.join();
  bool more = false;
  {
    const std::lock_guard lock(mutex_);
    more = !tasks_.empty() && !cancel_;
  }
  if (more) run();
}

bool PredictJob::making() const {
  const std::lock_guard lock(mutex_);
  return making_ || std::ranges::any_of(tasks_, [](const Task& task) { return !task.name.empty(); });
}

const PredictedChanges* PredictJob::find(const Set& set) const {
  const auto found = results_.find(set);
  return found == results_.end() ? nullptr : &found->second;
}

std::shared_ptr<const document::Document> PredictJob::take_made() {
  const std::lock_guard lock(mutex_);
  return std::exchange(made_, nullptr);
}

}  // namespace warpwalk::runs
