#include "instrumentation/simulated/device/stream.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "instrumentation/simulated/device/graph.h"

namespace warpwalk::simulated {
namespace {

constexpr unsigned non_blocking = 1, without_times = 2;

/// Thread-local streams are freed with the process, as threads may end while their work goes on.
Stream*& stream_of_this_thread() {
  thread_local Stream* stream = nullptr;
  return stream;
}

}  // namespace

Streams::Streams(WorkQueue& queue, ProgramClock& clock) : queue_(queue), clock_(clock) {
  legacy_.id = legacy_stream_id;
  legacy_.is_default = true;
  last_stream_id_ = legacy_stream_id + 5;  // CUDA makes some of its own first
}

Stream* Streams::find(const void* handle, bool per_thread_default) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 1 || (number == 0 && !per_thread_default)) return &legacy_;
  if (number == 2 || number == 0) {
    Stream*& own = stream_of_this_thread();
    if (own == nullptr) {
      own = create(0, 0);
      own->per_thread = true;
    }
    return own;
  }
  const std::lock_guard lock(mutex_);
  // A handle is the address of a stream that is const only here.
  const auto found = streams_.find(const_cast<Stream*>(static_cast<const Stream*>(handle)));
  return found == streams_.end() ? nullptr : *found;
}

Stream* Streams::create(unsigned flags, int priority) {
  const std::lock_guard lock(mutex_);
  auto* const stream = new Stream;
  stream->id = ++last_stream_id_;
  stream->flags = flags;
  stream->priority = priority;
  streams_.insert(stream);
  if (on_create) on_create(*stream);
  return stream;
}

Error Streams::destroy(Stream* stream) {
  const std::lock_guard lock(mutex_);
  if (streams_.erase(stream) == 0) return Error::invalid_resource_handle;
  delete stream;
  return Error::success;
}

Event* Streams::create_event(unsigned flags) {
  const std::lock_guard lock(mutex_);
  auto* const event = new Event;
  event->id = ++last_event_id_;
  event->flags = flags;
  events_.insert(event);
  return event;
}

Event* Streams::find_event(const void* handle) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(const_cast<Event*>(static_cast<const Event*>(handle)));
  return found == events_.end() ? nullptr : *found;
}

Error Streams::destroy_event(Event* event) {
  const std::lock_guard lock(mutex_);
  if (events_.erase(event) == 0) return Error::invalid_resource_handle;
  delete event;
  return Error::success;
}

void Streams::submit(Stream& stream, WorkPtr work) {
  const std::lock_guard lock(mutex_);
  std::vector<WorkPtr>& after = work->after;
  after.insert(after.end(), stream.waits.begin(), stream.waits.end());
  stream.waits.clear();
  after.push_back(stream.last);
  if (stream.is_default) {
    for (const Stream* const other : streams_)
      if ((other->flags & non_blocking) == 0) after.push_back(other->last);
  } else if ((stream.flags & non_blocking) == 0) {
    after.push_back(legacy_.last);
  }
  stream.last = work;
  work->stream = stream.id;
  queue_.submit(std::move(work));
}

Error Streams::record(Event& event, Stream& stream) {
  if (stream.capture != nullptr) return captured_record(event, stream);
  // A marker has the time at which the work before it ends.
  const auto marker = std::make_shared<Work>();
  marker->submitted = clock_.now();
  submit(stream, marker);
  event.capture.reset();
  event.captured.clear();
  event.recorded = true;
  event.work = marker;
  event.stream = stream.id;
  if (on_record) on_record(event, stream);
  return Error::success;
}

Error Streams::wait_event(Stream& stream, const Event& event) {
  if (stream.capture != nullptr || event.capture != nullptr) return captured_wait(stream, event);
  if (event.work == nullptr) return Error::success;
  {
    const std::lock_guard lock(mutex_);
    stream.waits.push_back(event.work);
  }
  return Error::success;
}

WorkPtr Streams::last(Stream& stream) {
  const std::lock_guard lock(mutex_);
  const bool waits = !stream.waits.empty();
  if (!waits && !stream.is_default) return stream.last;
  // What the stream waits for, and for the legacy default stream what its next work would wait for.
  const auto marker = std::make_shared<Work>();
  marker->after = stream.waits;
  marker->after.push_back(stream.last);
  if (stream.is_default)
    for (const Stream* const other : streams_)
      if ((other->flags & non_blocking) == 0) marker->after.push_back(other->last);
  if (std::ranges::all_of(marker->after, [](const WorkPtr& work) { return work == nullptr; })) return nullptr;
  queue_.submit(marker);
  return marker;
}

Error Streams::elapsed(const Event& from, const Event& to, float& milliseconds) {
  if (!from.recorded || !to.recorded || ((from.flags | to.flags) & without_times) != 0)
    return Error::invalid_resource_handle;
  if (!queue_.has_ended(from.work) || !queue_.has_ended(to.work)) return Error::not_ready;
  // cudaEventElapsedTime: "a resolution of approximately one half microsecond"
  constexpr double resolution_ns = 500;
  const double ns = static_cast<double>(to.work->end - from.work->end);
  milliseconds = static_cast<float>(std::round(ns / resolution_ns) * resolution_ns * 1e-6);
  return Error::success;
}

std::size_t Streams::event_count() {
  const std::lock_guard lock(mutex_);
  return events_.size();
}

std::vector<Stream*> Streams::all() {
  const std::lock_guard lock(mutex_);
  std::vector<Stream*> streams{&legacy_};
  streams.insert(streams.end(), streams_.begin(), streams_.end());
  return streams;
}

void Streams::reset() {
  const std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const Stream* stream) {
    if (stream->per_thread) return false;
    delete stream;
    return true;
  });
  for (const Event* const event : events_) delete event;
  events_.clear();
  legacy_.last = nullptr;
  legacy_.waits.clear();
}

}  // namespace warpwalk::simulated
