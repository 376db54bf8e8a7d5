#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "instrumentation/simulated/device/error.h"
#include "instrumentation/simulated/device/work.h"

namespace warpwalk::simulated {

struct Capture;
struct GraphNode;

/// The legacy default stream, as CUPTI numbers it.
inline constexpr std::uint32_t legacy_stream_id = 7;

/// A stream. cudaStream_t and CUstream are pointers to it.
struct Stream {
  std::uint32_t id = 0;  ///< as in recordings; the legacy default stream has 7 with CUDA
  int priority = 0;
  unsigned flags = 0;                ///< 1: does not synchronise with the legacy default stream
  bool is_default = false;           ///< legacy
  bool per_thread = false;           ///< the default stream of a thread
  WorkPtr last;                      ///< the last work that was submitted to it; null: none
  std::vector<WorkPtr> waits;        ///< for events of other streams, before its next work
  std::shared_ptr<Capture> capture;  ///< null: not being captured
};

/// An event. cudaEvent_t and CUevent are pointers to it.
struct Event {
  std::uint32_t id = 0;
  unsigned flags = 0;  ///< 1: waits block the thread, 2: without times, 4: between processes
  bool recorded = false;
  WorkPtr work;                      ///< ends when the work before it has ended; null: not recorded
  std::uint32_t stream = 0;          ///< where it was recorded last
  std::shared_ptr<Capture> capture;  ///< recorded in a stream that was being captured
  std::vector<GraphNode*> captured;  ///< the nodes that it stands for
};

/// Streams and events of the process. Thread-safe.
class Streams {
 public:
  Streams(WorkQueue& queue, ProgramClock& clock);
  /// The stream of a handle: 0 and 1 are the legacy default stream, 2 the calling thread's default stream. With
  /// `per_thread_default`, 0 is that one, too. Null if there is no such stream.
  Stream* find(const void* handle, bool per_thread_default = false);
  Stream* create(unsigned flags, int priority);
  Error destroy(Stream* stream);
  Event* create_event(unsigned flags);
  Event* find_event(const void* handle);
  Error destroy_event(Event* event);

  /// Submits work to a stream that is not being captured. It waits for the stream's last work, and as the legacy
  /// default stream demands: its work waits for all blocking streams, and theirs for it.
  void submit(Stream& stream, WorkPtr work);
  Error record(Event& event, Stream& stream);
  Error wait_event(Stream& stream, const Event& event);
  /// The work after which the stream is idle; null: none.
  WorkPtr last(Stream& stream);
  /// Milliseconds between two events, at the resolution of a GPU (0.5 us).
  Error elapsed(const Event& from, const Event& to, float& milliseconds);
  std::vector<Stream*> all();
  std::size_t event_count();
  void reset();

  /// Called after an event was recorded; may be empty.
  std::function<void(const Event&, const Stream&)> on_record;
  /// Called after a stream was created; may be empty.
  std::function<void(const Stream&)> on_create;

 private:
  std::mutex mutex_;
  WorkQueue& queue_;
  ProgramClock& clock_;
  Stream legacy_;
  std::set<Stream*> streams_;
  std::set<Event*> events_;
  std::uint32_t last_stream_id_ = 0, last_event_id_ = 0;
};

}  // namespace warpwalk::simulated
