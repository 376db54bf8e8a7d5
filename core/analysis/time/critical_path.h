#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// The kind of a stretch of the critical path.
enum class PathKind : std::uint8_t {
  python,         ///< a Python frame, outside of ops and calls
  op,             ///< a PyTorch op's own work on the CPU
  call,           ///< a CUDA call
  unrecorded,     ///< the CPU, outside of everything that is recorded
  blocked,        ///< the thread slept, read or waited for a lock, and no recorded thread worked for it
  loading,        ///< CUDA loads or compiles code
  profiler,       ///< the profiler's own work
  launch,         ///< from the start of the launch to the start of its work
  kernel,         ///< a kernel that computes
  communication,  ///< a kernel that exchanges data with other GPUs, waiting for them included
  copy,           ///< a copy or a fill
  queue,          ///< between two pieces of GPU work that was launched in time
  wait_end,       ///< from the end of the GPU's work to the return of the call that waited for it
};
constexpr std::size_t path_kinds = static_cast<std::size_t>(PathKind::wait_end) + 1;
/// "python", "op" ...: the key of its words in the narration.
std::string_view name_of(PathKind kind);
/// Whether it is time of the CPU, time of the GPU, or neither.
constexpr bool is_of_cpu(PathKind kind) { return kind <= PathKind::profiler; }
constexpr bool is_of_gpu(PathKind kind) {
  return kind == PathKind::kernel || kind == PathKind::communication || kind == PathKind::copy;
}

/// A stretch of the path; the next one begins where it ends. Times are ns since the trace's base.
struct PathSegment {
  std::int64_t from = 0, to = 0;
  SliceId slice = no_slice;  ///< the frame, op, call or work; of `launch` and `queue` the work that then starts
  PathKind kind = PathKind::unrecorded;
  /// Of the thread's kinds, the thread; else, and where no thread is known, `no_track`.
  trace::TrackId thread = no_track;

  static constexpr trace::TrackId no_track = std::numeric_limits<trace::TrackId>::max();
  std::int64_t length() const { return to - from; }
};

/// The stretches of a path, by time and without gaps. A path can have more of them than the trace has events, and new
/// memory costs more time than to find them, so that most take 8 bytes: the slice, and the length, thread and kind in
/// 32 bits. Where one begins follows from the lengths. Paths are found from their ends, so that the last stretch is
/// stored first.
class PathSegments {
 public:
  /// Makes segments as they are read.
  class Iterator {
   public:
    using value_type = PathSegment;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    PathSegment operator*() const { return all_->segment(left_ - 1, from_); }
    Iterator& operator++() {
      from_ += all_->length(--left_);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.left_ == b.left_; }

   private:
    friend class PathSegments;
    Iterator(const PathSegments& all, std::size_t left, std::int64_t from) : all_(&all), left_(left), from_(from) {}

    const PathSegments* all_ = nullptr;
    std::size_t left_ = 0;  // from here to the end
    std::int64_t from_ = 0;
  };

  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  /// Takes as long as a few dozen steps of an iterator.
  PathSegment operator[](std::size_t i) const { return *at(i); }
  PathSegment front() const { return *begin(); }
  PathSegment back() const { return (*this)[size() - 1]; }
  Iterator begin() const { return {*this, rows_.size(), from_}; }
  Iterator end() const { return {*this, 0, 0}; }
  /// From segment `i` on.
  Iterator at(std::size_t i) const;

  /// Prepares for at most this many segments (platform::reserve_rows).
  void reserve(std::size_t most);
  void clear();
  /// The segment before all others; it ends where the first of them begins.
  void push_front(const PathSegment& segment) {
    if (rows_.size() % spacing == 0) starts_.push_back(segment.from);
    from_ = segment.from;
    const std::uint32_t thread = number_of(segment.thread);
    const bool fits = segment.length() < unusual && thread < most_threads;
    if (!fits) unusual_.push_back({rows_.size(), segment.length(), segment.thread});
    rows_.push_back({segment.slice, fits ? static_cast<std::uint32_t>(segment.length()) : unusual, fits ? thread : 0,
                     static_cast<std::uint32_t>(segment.kind)});
  }

 private:
  struct Row {
    SliceId slice;
    std::uint32_t length : 20;  // ns; or `unusual`
    std::uint32_t thread : 8;   // its number in threads_
    std::uint32_t kind : 4;
  };
  static_assert(path_kinds <= 16);
  static constexpr std::uint32_t unusual = (1U << 20) - 1, most_threads = 1U << 8;
  static constexpr std::size_t spacing = 64;
  // A segment that is longer than a millisecond, or whose thread is not among the first.
  struct Unusual {
    std::size_t row;
    std::int64_t length;
    trace::TrackId thread;
  };

  const Unusual& unusual_at(std::size_t row) const;
  std::uint32_t add_thread(trace::TrackId thread);
  std::uint32_t number_of(trace::TrackId thread) {
    return last_ < threads_.size() && threads_[last_] == thread ? last_ : add_thread(thread);
  }
  std::int64_t length(std::size_t row) const {
    return rows_[row].length != unusual ? std::int64_t{rows_[row].length} : unusual_at(row).length;
  }
  PathSegment segment(std::size_t row, std::int64_t from) const {
    const Row& here = rows_[row];
    const auto kind = static_cast<PathKind>(here.kind);
    if (here.length != unusual) return {from, from + here.length, here.slice, kind, threads_[here.thread]};
    const Unusual& one = unusual_at(row);
    return {from, from + one.length, here.slice, kind, one.thread};
  }

  std::vector<Row> rows_;
  std::vector<std::int64_t> starts_;     // of each `spacing`th row
  std::vector<Unusual> unusual_;         // by row
  std::vector<trace::TrackId> threads_;  // those that occur
  std::uint32_t last_ = 0;               // the number of the thread that came last
  std::int64_t from_ = 0;                // of the first segment
};

/// A chain of work without a gap from the start of a span to its end: each stretch is what the next one waited for
/// last.
struct CriticalPath {
  std::int64_t from = 0, to = 0;
  PathSegments segments;                           ///< their lengths add up to the span
  std::array<std::int64_t, path_kinds> time = {};  ///< ns by kind; adds up to the span

  std::int64_t span() const { return to - from; }
  std::int64_t of(PathKind kind) const { return time[static_cast<std::size_t>(kind)]; }
  std::int64_t cpu() const;
};

class PathEvents;

/// Finds critical paths in one trace, backwards from an end:
///
/// - GPU work waits for three things: the end of the work before on its stream, the start of its launch, and the end of
///   the work on another stream that its stream waits for (cudaStreamWaitEvent). The last of them counts.
/// - A call that waits for the GPU (Synchronize, a copy to the CPU, or a copy without Async) returned because the last
///   work that ended during the call, on the stream that it waits for, had ended.
/// - A thread does one thing after the other. A thread that begins after a pause in which nothing is recorded was
///   woken by the thread that was active then; if none was, by what ended last.
/// - A thread that waits for another one (a lock, a queue, run_backward) hands over to the thread that worked just
///   before the wait ended. Without such a thread, and where it slept or read from outside, it was blocked: no work.
/// - Threads that neither launch, nor wait for the GPU or for autograd, nor have ops take no part.
///
/// Preparing takes O(n log n), each path a time that grows with the number of its segments.
class PathFinder {
 public:
  /// `tracks`: those of one rank, by TrackId, if several ranks are merged in the trace; empty: all.
  explicit PathFinder(const Trace& trace, const std::vector<bool>& tracks = {});
  ~PathFinder();
  PathFinder(const PathFinder&) = delete;
  PathFinder& operator=(const PathFinder&) = delete;

  /// From the trace's end to its start.
  CriticalPath whole() const;
  /// From a moment of a CPU thread back to an earlier time.
  CriticalPath until(trace::TrackId thread, std::int64_t from, std::int64_t to) const;
  /// The same, in the memory of a path that is no longer needed: for many short ones.
  void until(trace::TrackId thread, std::int64_t from, std::int64_t to, CriticalPath& path) const;
  /// The times of this path by kind, without the path.
  std::array<std::int64_t, path_kinds> times_until(trace::TrackId thread, std::int64_t from, std::int64_t to) const;
  /// From the start of this work on the GPU back to an earlier time; empty for work without a time.
  CriticalPath leading_to(SliceId work, std::int64_t from) const;
  /// From a moment of a thread on the CPU alone: a call that waits for the GPU takes its time itself, as a stretch of
  /// kind `call`.
  CriticalPath on_cpu_until(trace::TrackId thread, std::int64_t from, std::int64_t to) const;

  const PathEvents& events() const { return *events_; }

 private:
  const Trace& trace_;
  std::unique_ptr<const PathEvents> events_;
};

}  // namespace warpwalk::analysis
