#include "app/document/history_worker.h"

#include <cmath>
#include <new>
#include <utility>

namespace warpwalk::document {
namespace {

std::variant<std::shared_ptr<const run::History>, run::NoHistory> built(const trace::Trace& trace,
                                                                        story::SliceId kernel,
                                                                        const run::HistoryOptions& options) {
  try {
    return run::build_history(trace, kernel, options);
  } catch (const std::bad_alloc&) {
    return run::NoHistory{"this machine has too little free memory for it"};
  }
}

std::variant<std::shared_ptr<run::TimeTravel>, std::string> travel_of(const trace::Trace& trace, story::SliceId kernel,
                                                                      std::shared_ptr<const run::History> history,
                                                                      const run::HistoryOptions& options) {
  try {
    return run::TimeTravel::make(trace, kernel, std::move(history), options);
  } catch (const std::bad_alloc&) {
    return "This machine has too little free memory for it";
  }
}

}  // namespace

HistoryWorker::~HistoryWorker() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    cancel_ = true;
  }
  asked_.notify_one();
  thread_.join();
}

void HistoryWorker::want(std::shared_ptr<const Document> document, story::SliceId kernel,
                         const run::HistoryOptions& options) {
  if (document == document_ && kernel == kernel_) return;
  document_ = document;
  kernel_ = kernel;
  ask(Job{std::move(document), kernel, options});
}

void HistoryWorker::want_none() {
  if (document_ == nullptr) return;
  document_.reset();
  kernel_ = story::no_slice;
  ask({});
}

void HistoryWorker::ask(std::optional<Job> job) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(job);
    cancel_ = true;
    done_ = of_ = 0;
    history_.reset();
    reason_.clear();
    travel_.reset();
    no_travel_.clear();
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  asked_.notify_one();
}

void HistoryWorker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [this] { return end_ || next_; });
    if (end_) return;
    Job job = std::move(*next_);
    next_.reset();
    cancel_ = false;
    lock.unlock();
    job.options.cancel = &cancel_;
    job.options.progress = [this](std::uint64_t done, std::uint64_t of) {
      if (cancel_) return;
      done_ = done;
      of_ = of;
    };
    auto answer = built(job.document->trace(), job.kernel, job.options);
    lock.lock();
    if (cancel_) continue;  // this kernel is no longer asked for
    if (auto* const none = std::get_if<run::NoHistory>(&answer)) {
      reason_ = std::move(none->reason);
      continue;
    }
    history_ = std::move(std::get<0>(answer));
    done_ = of_ = 0;
    const std::shared_ptr<const run::History> history = history_;
    lock.unlock();
    auto cycles = travel_of(job.document->trace(), job.kernel, history, job.options);
    lock.lock();
    if (cancel_) continue;
    if (auto* const reason = std::get_if<std::string>(&cycles))
      no_travel_ = std::move(*reason);
    else
      travel_ = std::move(std::get<0>(cycles));
  }
}

bool HistoryWorker::busy() const {
  const story::HistoryView now = view();
  const bool timing = now.state == story::HistoryView::State::ready && now.travel == nullptr && now.no_travel.empty();
  return now.state == story::HistoryView::State::building || timing;
}

story::HistoryView HistoryWorker::view() const {
  using State = story::HistoryView::State;
  story::HistoryView view;
  if (document_ == nullptr) return view;
  const std::lock_guard lock(mutex_);
  view.history = history_.get();
  view.reason = reason_;
  view.travel = travel_.get();
  view.no_travel = no_travel_;
  view.state = history_ ? State::ready : reason_.empty() ? State::building : State::impossible;
  // In whole percent, because the stage is made again when it changes.
  double& done = view.state == State::building ? view.done : view.travel_done;
  if (const std::uint64_t of = of_; of > 0)
    done = std::floor(100 * static_cast<double>(done_) / static_cast<double>(of)) / 100;
  view.take_timing();
  return view;
}

}  // namespace warpwalk::document
