#include "instrumentation/simulated/device/work.h"

#include <algorithm>
#include <set>
#include <utility>

namespace warpwalk::simulated {
namespace {

const Work*& running_work() {
  thread_local const Work* work = nullptr;
  return work;
}

void join(Order& into, const Order& other) {
  for (const auto& [stream, number] : other) {
    std::uint64_t& known = into[stream];
    known = std::max(known, number);
  }
}

}  // namespace

const Work* WorkQueue::running() { return running_work(); }

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (host_thread_.joinable()) host_thread_.join();
}

void WorkQueue::submit(WorkPtr work) {
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(false); });
  if (work->on_host && !host_thread_.joinable()) host_thread_ = std::thread([this] { run(true); });
  if (traces_) trace(*work);
  waiting_.push_back(work);
  last_ = std::move(work);
  changed_.notify_all();
}

void WorkQueue::trace(Work& work) {
  work.call = call_sites::current();
  work.order = host_order_;
  for (const WorkPtr& before : work.after)
    if (before != nullptr) join(work.order, before->order);
  if (work.stream == 0) return;
  work.number = ++last_numbers_[work.stream];
  work.order[work.stream] = work.number;
}

void WorkQueue::note_wait(const Order& done) {
  if (!traces_) return;
  Order all;
  {
    const std::lock_guard lock(mutex_);
    join(host_order_, done);
    all = host_order_;
  }
  if (on_wait) on_wait(all);
}

void WorkQueue::settle(const WorkPtr& work) {
  if (work == nullptr) return;
  std::unique_lock lock(mutex_);
  const std::int64_t asked = clock_.now();
  clock_.stop();
  // A kernel may wait for something that the host does next, and more often a function of the program does.
  const auto limit = waits_for_host(*work) ? std::chrono::milliseconds(50) : std::chrono::seconds(2);
  changed_.wait_for(lock, limit, [&] { return work->done; });
  clock_.go_on(asked);
}

WorkPtr WorkQueue::next(bool on_host) const {
  for (const WorkPtr& work : waiting_) {
    if (work->begun || work->on_host != on_host) continue;
    if (std::ranges::all_of(work->after, [](const WorkPtr& before) { return before == nullptr || before->done; }))
      return work;
  }
  return nullptr;
}

void WorkQueue::run(bool on_host) {
  std::unique_lock lock(mutex_);
  for (;;) {
    WorkPtr work;
    changed_.wait(lock, [&] { return ends_ || (work = next(on_host)) != nullptr; });
    if (work == nullptr) return;
    work->begun = true;
    if (on_host) changed_.notify_all();  // for has_ended
    const bool lost = error_ != Error::success;
    lock.unlock();
    Outcome outcome;
    if (traces_) running_work() = work.get(), call_sites::current() = work->call;
    if (work->run && !lost) outcome = work->run();
    if (traces_) running_work() = nullptr, call_sites::current() = {};
    lock.lock();
    place(*work, outcome);
    lock.unlock();
    if (work->recorded && !lost) work->recorded(*work);
    work->run = nullptr;  // with the memory that it holds
    work->recorded = nullptr;
    lock.lock();
    work->after.clear();
    std::erase(waiting_, work);
    if (error_ == Error::success) error_ = outcome.error;
    work->done = true;
    changed_.notify_all();
  }
}

/// Finds the time at which a GPU would start the work: after the work that it waits for, when its copy engine is free,
/// or when the SMs have room beside the kernels that run then.
void WorkQueue::place(Work& work, const Outcome& outcome) {
  std::int64_t start = work.submitted + work.latency;
  for (const WorkPtr& before : work.after)
    if (before != nullptr) start = std::max(start, before->end);
  if (work.unit == Unit::to_device || work.unit == Unit::to_host) {
    std::int64_t& free = unit_free_[static_cast<std::size_t>(work.unit)];
    start = std::max(start, free);
    free = start + outcome.duration;
  } else if (work.unit == Unit::sms) {
    std::erase_if(running_, [&](const Running& kernel) { return kernel.end <= work.submitted; });
    for (;;) {
      double used = 0;
      std::int64_t next = 0;
      for (const Running& kernel : running_) {
        if (kernel.start > start || kernel.end <= start) continue;
        used += kernel.share;
        next = next == 0 ? kernel.end : std::min(next, kernel.end);
      }
      constexpr double full = 1.0001;
      if (next == 0 || used + outcome.share <= full) break;
      start = next;
    }
    running_.push_back({start, start + outcome.duration, outcome.share});
  }
  work.start = start;
  work.end = start + outcome.duration;
}

void WorkQueue::wait(const WorkPtr& work) {
  if (work == nullptr) return;
  std::unique_lock lock(mutex_);
  if (!work->done) {
    clock_.stop();
    changed_.wait(lock, [&] { return work->done; });
    clock_.go_on(work->end);
  } else if (clock_.now() < work->end) {
    clock_.stop();
    clock_.go_on(work->end);
  }
  lock.unlock();
  note_wait(work->order);
}

void WorkQueue::wait_all() {
  WorkPtr last;
  std::vector<WorkPtr> before;  // other threads may go on submitting work
  {
    const std::lock_guard lock(mutex_);
    last = last_;
    before.assign(waiting_.begin(), waiting_.end());
  }
  // The last to be submitted is not always the last to end.
  wait(last);
  std::int64_t end = 0;
  Order all;
  {
    std::unique_lock lock(mutex_);
    for (const WorkPtr& work : before) changed_.wait(lock, [&] { return work->done; });
    end = std::max(unit_free_[static_cast<std::size_t>(Unit::to_device)],
                   unit_free_[static_cast<std::size_t>(Unit::to_host)]);
    for (const Running& kernel : running_) end = std::max(end, kernel.end);
    all = last_numbers_;
  }
  note_wait(all);
  if (end <= clock_.now()) return;
  clock_.stop();
  clock_.go_on(end);
}

bool WorkQueue::waits_for_host(const Work& work) {
  std::vector<const Work*> open{&work};
  std::set<const Work*> seen(open.begin(), open.end());
  while (!open.empty()) {
    const Work& one = *open.back();
    open.pop_back();
    if (one.on_host && one.begun && !one.done) return true;
    for (const WorkPtr& before : one.after)
      if (before != nullptr && !before->done && seen.insert(before.get()).second) open.push_back(before.get());
  }
  return false;
}

bool WorkQueue::has_ended(const WorkPtr& work) {
  if (work == nullptr) return true;
  std::unique_lock lock(mutex_);
  if (!work->done) {
    const std::int64_t asked = clock_.now();
    clock_.stop();
    // A kernel may wait for something that the host does after it has asked.
    changed_.wait_for(lock, std::chrono::seconds(2), [&] { return work->done || waits_for_host(*work); });
    clock_.go_on(asked);
    if (!work->done) return false;
  }
  const bool ended = work->end <= clock_.now();
  lock.unlock();
  if (ended) note_wait(work->order);
  return ended;
}

Error WorkQueue::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

void WorkQueue::reset() {
  wait_all();
  const std::lock_guard lock(mutex_);
  error_ = Error::success;
}

void WorkQueue::abandon_in_child() {
  // The thread and whoever held the lock are in the parent.
  new (&mutex_) std::mutex;
  new (&changed_) std::condition_variable;
  new (&thread_) std::thread;
  new (&host_thread_) std::thread;
  waiting_.clear();
  error_ = Error::not_initialized;
}

}  // namespace warpwalk::simulated
