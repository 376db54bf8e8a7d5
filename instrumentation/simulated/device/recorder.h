#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

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

/// Writes the rows that the recorder of a real GPU writes (instrumentation/rows.h), if the process is recorded.
/// Thread-safe.
class Recorder {
 public:
  /// Begins, if the process is recorded. `now`: the program's time, for what the program itself records (NVTX).
  void start(std::uint64_t (*now)(), std::string_view device);
  /// Whether the process is to be recorded.
  static bool is_wanted();
  bool on() const { return to_ != nullptr; }
  /// Writes everything and ends the recording, before the program is ended.
  void end();
  /// Number of a string of a row; 0 if the process is not recorded.
  std::uint32_t name(std::string_view text);
  void add(const instrumentation::Row& row);
  /// A number for a call; work that it submits has the same.
  std::uint32_t new_correlation() { return ++last_correlation_; }
  /// That of the call that this thread is in; 0: it is in none.
  static std::uint32_t& correlation();
  /// Whether that call is one of those whose names end in Async.
  static bool& call_is_async();
  /// This thread's number.
  static std::uint32_t thread();

 private:
  std::atomic<std::uint32_t> last_correlation_ = 0;
  instrumentation::RowSink* to_ = nullptr;  ///< null: the process is not recorded
  void (*end_)() = nullptr;
};

}  // namespace warpwalk::simulated
