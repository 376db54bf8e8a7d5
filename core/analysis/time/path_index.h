#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/analysis/cpu_wait.h"
#include "core/analysis/intervals.h"
#include "core/analysis/kernels/communication.h"
#include "core/analysis/time/critical_path.h"

namespace warpwalk::analysis {

/// From its start to that of the next tile, the innermost frame, op or call of a thread; no_slice: nothing is recorded.
struct PathTile {
  std::int64_t start = std::numeric_limits<std::int64_t>::min();
  SliceId slice = no_slice;
  bool loading = false;  ///< CUDA loads or compiles code in it
  /// Of the slice: python, op or call, and what it waits for. They stand here because paths ask for them at each step.
  PathKind kind = PathKind::unrecorded;
  CpuWait wait = CpuWait::none;
};

/// A kernel, copy or fill with a time.
struct PathWork {
  std::int64_t start = 0, end = 0;
  SliceId slice = no_slice, launch = no_slice;
  std::uint32_t stream = 0, place = 0;  ///< its stream and its number on it, from 0
  PathKind kind = PathKind::kernel;     ///< or communication, copy
  /// When `launch` gave it to the GPU: the call's start, or what the trace says of a call that does more than that.
  std::int64_t launched = 0;
};

/// The call by which a piece of work was made to wait for another stream (cudaStreamWaitEvent), since the launch of the
/// work before on its stream.
struct PathOrder {
  SliceId call = no_slice;         ///< no_slice: there was none
  const PathWork* work = nullptr;  ///< what it waited for, if that had ended when the waiting work started
  bool recorded = false;           ///< the trace says which event; else `work` is a guess
};

/// The events of a trace, prepared for going back in time: what a thread or stream did before a moment.
class PathEvents {
 public:
  static constexpr std::size_t no_thread = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t no_tile = no_thread;

  /// `tracks`: as of PathFinder.
  explicit PathEvents(const Trace& trace, const std::vector<bool>& tracks = {});

  std::int64_t start(SliceId slice) const { return trace_.slices.start[slice]; }
  std::size_t thread_of(SliceId slice) const { return thread_of_track(trace_.slices.track[slice]); }
  std::size_t thread_of_track(trace::TrackId track) const { return thread_[track]; }
  /// PathSegment::no_track for no_thread.
  trace::TrackId track_of(std::size_t thread) const {
    return thread == no_thread ? PathSegment::no_track : tracks_[thread];
  }
  PathKind kind_of(const PathTile& tile) const;
  /// Whether CUDA loads or compiles code in this call.
  bool is_loading(SliceId call) const;
  bool starts_copy(SliceId call) const { return starts_copy_[call]; }
  const Communication& communication() const { return communication_; }

  /// The activity of the thread just before this time; without an earlier tile, one without a slice from long ago.
  /// `at`: the tile that was found for a later time, or no_tile; becomes the one that is found.
  PathTile tile_before(std::size_t thread, std::int64_t time, std::size_t& at) const;
  /// Threads that launch or wait for the GPU, then those with ops or that wait for autograd; without any, all. Of many,
  /// those with the most tiles, so that a trace of many threads takes no longer.
  const std::vector<std::size_t>& participants() const { return participants_; }
  /// Whether a participant launches or waits for the GPU itself.
  bool asks_gpu(std::size_t thread) const { return asks_gpu_[thread]; }
  /// The participant whose last recorded slice ends last, and that end; no_thread if there is none.
  std::pair<std::size_t, std::int64_t> last_thread() const;

  /// The work before on the same stream; null if there is none.
  const PathWork* before(const PathWork& work) const;
  /// The order to wait for another stream that holds for this work.
  PathOrder order_of(const PathWork& work) const;
  /// Null for work without a time.
  const PathWork* work_of(SliceId slice) const;
  /// The last work that ended by `time` during a call that waits for the GPU; null for other calls, or if no work
  /// ended.
  const PathWork* ended_wait(SliceId call, std::int64_t time) const;
  const PathWork* last_work() const;
  /// The work that a call waits for if it waits for the GPU, whether or not that had ended when the call began: of each
  /// stream that it waits for, the last work that was launched before. Empty for other calls.
  std::vector<const PathWork*> awaited(SliceId call) const;

  /// What a thread did, by time.
  const std::vector<PathTile>& tiles(std::size_t thread) const { return threads_[thread]; }
  /// The work of each stream, by start.
  const std::vector<std::vector<PathWork>>& streams() const { return streams_; }

  /// Segments that a path can have, roughly and at most.
  std::size_t most_segments() const;

  const std::vector<Interval>& profiler() const { return profiler_; }
  /// Times in which CUDA loads or compiles code, as far as they are recorded beside the calls.
  const std::vector<Interval>& loading() const { return loading_; }

 private:
  struct End {
    std::int64_t time = 0;
    std::uint32_t stream = 0, place = 0;
  };
  /// What the name of a call tells.
  struct CallFlags {
    bool known = false, waits = false, loads = false, is_asynchronous = false, is_graph = false;
  };
  /// The work for which a call waits, or makes a stream wait.
  struct Target {
    std::size_t stream = 0;                                          ///< in streams_; its size: not recorded
    std::int64_t before = std::numeric_limits<std::int64_t>::max();  ///< only work launched before this time
    std::size_t waiting = 0;  ///< the stream that waits, in streams_; its size: not recorded
  };

  void add_thread(trace::TrackId track, const CpuWaits& waits);
  void add_stream(trace::TrackId track);
  static void sort_by_time(std::vector<End>& ends);
  void find_host_launches();
  void find_participants();
  void find_targets();
  void read_calls();
  CallFlags flags_of(SliceId call) const { return call_flags_[trace_.slices.name[call]]; }
  void find_loading();
  bool loads_within(std::int64_t from, std::int64_t to) const;
  const PathWork& at(const End& end) const { return streams_[end.stream][end.place]; }
  /// The last work of `ends` that ended in (after, by].
  const PathWork* ended(const std::vector<End>& ends, std::int64_t after, std::int64_t by) const;
  /// The last work of a stream that was launched before a time; null if there is none.
  const PathWork* launched_before(std::size_t stream, std::int64_t time) const;

  const Trace& trace_;
  std::vector<std::size_t> thread_;  // by track
  std::vector<std::vector<PathTile>> threads_;
  std::vector<trace::TrackId> tracks_;  // by thread
  std::vector<std::size_t> participants_;
  std::vector<bool> asks_gpu_;             // by thread
  std::vector<std::size_t> host_threads_;  // that launch work by find_host_launches()
  std::vector<std::vector<PathWork>> streams_;
  std::vector<std::size_t> stream_;              // by track
  std::vector<std::vector<End>> ends_;           // of each stream, by time
  std::vector<End> all_ends_;                    // by time
  std::vector<std::vector<SliceId>> orders_;     // by thread: calls that have a stream wait, by start
  std::unordered_map<SliceId, Target> targets_;  // by call
  std::vector<Interval> profiler_, loading_;
  std::unordered_set<SliceId> loading_launches_;
  std::vector<CallFlags> call_flags_;  // by StringId: of calls with this name
  std::vector<bool> starts_copy_;      // by slice: calls that started a copy
  Communication communication_;
};

}  // namespace warpwalk::analysis
