#include "app/document/history_worker.h"

#include <cmath>
#include <new>
#include <utility>

#include "core/base/result.h"
#include "core/run/replay/time_travel.h"

namespace warpwalk::document {
namespace {

/// Simulated in a fraction of a second; for a matmul of 1024 x 1024, some 2,000 cycles of all SMs.
constexpr std::uint64_t soon_warp_instructions = 400'000;

std::variant<std::shared_ptr<const run::History>, run::NoHistory> built(const trace::Trace& trace,
                                                                        story::SliceId kernel,
                                                                        const run::HistoryOptions& options) {
  try {
    return run::build_history(trace, kernel, options);
  } catch (const std::bad_alloc&) {
    return run::NoHistory{"this machine has too little free memory for it"};
  }
}

base::Result<std::shared_ptr<run::TimeTravel>> travel_of(const trace::Trace& trace, story::SliceId kernel,
                                                         std::shared_ptr<const run::History> history,
                                                         const run::HistoryOptions& options,
                                                         const run::WhatIf& what_if = {}) {
  try {
    return run::TimeTravel::make(trace, kernel, std::move(history), options, what_if);
  } catch (const std::bad_alloc&) {
    return base::Error{"This machine has too little free memory for it"};
  }
}

}  // namespace

HistoryWorker::~HistoryWorker() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
    cancel_ = cancel_changed_ = cancel_number_ = true;
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

void HistoryWorker::want_changed(const run::WhatIf& what_if) {
  {
    const std::lock_guard lock(mutex_);
    if (what_if == what_if_) return;
    what_if_ = what_if;
    results_.changed.reset();
    results_.no_changed.clear();
    cancel_changed_ = true;
  }
  asked_.notify_one();
}

void HistoryWorker::want_number(const std::optional<run::NumberRequest>& number) {
  {
    const std::lock_guard lock(mutex_);
    if (number == number_) return;
    number_ = number;
    results_.trail.reset();
    results_.no_trail.clear();
    cancel_number_ = true;
  }
  asked_.notify_one();
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
    cancel_ = cancel_changed_ = cancel_number_ = true;
    done_ = of_ = 0;
    results_ = {};
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  asked_.notify_one();
}

void HistoryWorker::work() {
  std::unique_lock lock(mutex_);
  Job job;
  const auto wants_change = [this] { return what_if_.any() && results_.lacks_change(); };
  const auto wants_number = [this] { return number_ && results_.lacks_trail(); };
  while (true) {
    asked_.wait(lock, [&] { return end_ || next_ || wants_number() || wants_change(); });
    if (end_) return;
    if (!next_ && wants_number()) {
      find_number(lock, job);
      continue;
    }
    if (!next_) {
      simulate_changed(lock, job);
      continue;
    }
    job = std::move(*next_);
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
      results_.reason = std::move(none->reason);
      continue;
    }
    results_.history = std::move(std::get<0>(answer));
    done_ = of_ = 0;
    simulate_cycles(lock, job);
  }
}

void HistoryWorker::simulate_cycles(std::unique_lock<std::mutex>& lock, const Job& job) {
  const std::shared_ptr<const run::History> history = results_.history;
  const auto simulated = [&](const run::HistoryOptions& options) {
    lock.unlock();
    auto cycles = travel_of(job.document->trace(), job.kernel, history, options);
    lock.lock();
    return cycles;
  };
  run::HistoryOptions soon = job.options;
  soon.first_timed_warp_instructions = soon_warp_instructions;
  soon.max_timed_warp_instructions = soon_warp_instructions;
  auto first = simulated(soon);
  if (cancel_) return;
  // If the first pass was not cut short, it already covers the whole launch.
  const bool whole = first && !(*first)->timing().cut;
  if (first && !whole) results_.first_cycles = std::move(*first);
  auto cycles = whole || !first ? std::move(first) : simulated(job.options);
  if (cancel_) return;
  if (cycles)
    results_.travel = std::move(*cycles);
  else
    results_.no_travel = cycles.error();
}

void HistoryWorker::simulate_changed(std::unique_lock<std::mutex>& lock, const Job& job) {
  const std::shared_ptr<const run::History> history = results_.history;
  const run::WhatIf what_if = what_if_;
  cancel_changed_ = false;
  done_ = of_ = 0;
  run::HistoryOptions options = job.options;
  options.cancel = &cancel_changed_;
  options.progress = [this](std::uint64_t done, std::uint64_t of) {
    if (cancel_changed_) return;
    done_ = done;
    of_ = of;
  };
  lock.unlock();
  auto cycles = travel_of(job.document->trace(), job.kernel, history, options, what_if);
  lock.lock();
  if (cancel_changed_) return;  // another change is asked for, or none
  if (cycles)
    results_.changed = std::move(*cycles);
  else
    results_.no_changed = cycles.error();
}

void HistoryWorker::find_number(std::unique_lock<std::mutex>& lock, const Job& job) {
  const std::shared_ptr<const run::History> history = results_.history;
  const std::shared_ptr<run::TimeTravel> travel = results_.travel;
  const run::NumberRequest number = *number_;
  cancel_number_ = false;
  run::HistoryOptions options = job.options;
  options.cancel = &cancel_number_;
  options.progress = nullptr;
  lock.unlock();
  const auto find = [&]() -> base::Result<std::shared_ptr<const run::NumberTrail>> {
    try {
      return run::find_number_trail(job.document->trace(), *travel, *history, number, options);
    } catch (const std::bad_alloc&) {
      return base::Error{"This machine has too little free memory for it"};
    }
  };
  auto trail = find();
  lock.lock();
  if (cancel_number_) return;  // another number is asked for, or none
  if (trail)
    results_.trail = std::move(*trail);
  else
    results_.no_trail = trail.error();
}

bool HistoryWorker::busy() const {
  const story::HistoryView now = view();
  if (now.state != story::HistoryView::State::ready) return now.state == story::HistoryView::State::building;
  const std::lock_guard lock(mutex_);
  const bool timing = results_.travel == nullptr && results_.no_travel.empty();
  return timing || (number_ && results_.lacks_trail()) || (what_if_.any() && results_.lacks_change());
}

story::HistoryView HistoryWorker::view() const {
  using State = story::HistoryView::State;
  story::HistoryView view;
  if (document_ == nullptr) return view;
  const std::lock_guard lock(mutex_);
  view.history = results_.history.get();
  view.reason = results_.reason;
  view.travel = results_.travel.get();
  view.no_travel = results_.no_travel;
  view.what_if = what_if_;
  view.changed = results_.changed.get();
  view.no_changed = results_.no_changed;
  view.state = results_.history ? State::ready : results_.reason.empty() ? State::building : State::impossible;
  // In whole percent, because the stage is made again when it changes.
  double& done = view.state == State::building ? view.done : results_.travel ? view.changed_done : view.travel_done;
  if (const std::uint64_t of = of_; of > 0)
    done = std::floor(100 * static_cast<double>(done_) / static_cast<double>(of)) / 100;
  view.trail = results_.trail.get();
  view.no_trail = results_.no_trail;
  view.take_timing();
  if (view.travel == nullptr) view.travel = results_.first_cycles.get();
  return view;
}

}  // namespace warpwalk::document
