#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/rows.h"

namespace warpwalk::instrumentation {
class RowSink;
}

namespace warpwalk::simulated {

/// The graph of a piece of work; 0, 0: not of a graph.
struct GraphPlace {
  std::uint32_t graph = 0;
  std::uint64_t node = 0;
};

/// What takes the rows of a recording, and what is asked of the process's other recorder (instrumentation/inject).
struct RecordingTarget {
  instrumentation::RowSink* rows = nullptr;
  /// The names of the ops that are open on the calling thread; null: not known.
  std::vector<std::string> (*open_ops)() = nullptr;
};

/// Writes the rows that the recorder of a real GPU writes (instrumentation/rows.h), while the process is recorded:
/// from the start if the environment asks for it, and whenever the program begins and ends a recording. Thread-safe.
class Recorder {
 public:
  /// Begins, if the environment asks for it. `now`: the program's time, for what the program itself records (NVTX).
  void start(std::uint64_t (*now)(), std::string_view device);
  /// Whether the environment asks for a recording.
  static bool is_wanted();
  /// Begins a recording; none is under way.
  void attach(const RecordingTarget& target);
  /// Ends the recording: afterwards nothing uses its target. Does nothing if none is under way.
  void detach();

  bool on() const { return number_ != 0; }
  /// That of the recording under way; 0: none.
  std::uint32_t number() const { return number_; }
  /// Writes everything and ends the recording, before the program is ended.
  void end();
  /// Number of a string of a row; 0 if the process is not recorded.
  std::uint32_t name(std::string_view text);
  void add(const instrumentation::Row& row);
  /// The names of the ops that are open on the calling thread.
  std::vector<std::string> open_ops();
  /// A number for a call; work that it submits has the same.
  std::uint32_t new_correlation() { return ++last_correlation_; }
  /// That of the call that this thread is in; 0: it is in none.
  static std::uint32_t& correlation();
  /// Whether that call is one of those whose names end in Async.
  static bool& call_is_async();
  /// This thread's number.
  static std::uint32_t thread();

  /// While this exists, the recording of this number goes on. False if it has ended, so that a row must not be added:
  /// the numbers of its strings are of another recording.
  class Use {
   public:
    Use(Recorder& recorder, std::uint32_t number);
    ~Use() { --recorder_.users_; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    explicit operator bool() const { return valid_; }

   private:
    Recorder& recorder_;
    bool valid_;
  };

 private:
  std::atomic<std::uint32_t> last_correlation_ = 0, last_number_ = 0;
  std::atomic<std::uint32_t> number_ = 0;  ///< of the recording; 0: the process is not recorded
  std::atomic<int> users_ = 0;
  RecordingTarget target_;  ///< changed while number_ is 0 and nothing uses it
  void (*end_)() = nullptr;
};

}  // namespace warpwalk::simulated
