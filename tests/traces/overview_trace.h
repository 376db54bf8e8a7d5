#pragma once

#include <string>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk {

/// A trace of events that are given by their times in nanoseconds since its start.
class OverviewTrace {
 public:
  /// `more_args`: more members of "args".
  OverviewTrace& op(std::string_view name, long from, long to, int thread = 1, std::string_view more_args = {});
  OverviewTrace& frame(std::string_view name, long from, long to, int thread = 1);
  OverviewTrace& range(std::string_view name, long from, long to, int thread = 1);
  OverviewTrace& call(std::string_view name, long from, long to, int correlation = 0, int thread = 1);
  OverviewTrace& kernel(std::string_view name, long from, long to, int correlation, int stream = 7, int device = 0);
  OverviewTrace& copy(std::string_view name, long from, long to, int correlation, int stream = 7);
  OverviewTrace& overhead(std::string_view name, long from, long to);
  /// A synchronization as recorded on the GPU: cudaStreamWaitEvent of `stream` for an event on `other`.
  OverviewTrace& stream_wait(long from, long to, int correlation, int stream, int other, int record);
  /// A wait of the CPU for one stream.
  OverviewTrace& stream_sync(long from, long to, int correlation, int stream);

  std::string text() const;
  /// Read and linked; a failed read is a test failure.
  trace::Trace read() const;

 private:
  OverviewTrace& event(std::string_view category, std::string_view name, long from, long to, int process, int thread,
                       std::string_view args);

  std::string events_;
};

/// Three steps of 0.9, 1.1 and 0.9 ms, each with kernels "gemm" (100 µs) and "relu" (50 µs) and a copy (50 µs) that the
/// CPU waits for. The second step launches relu 200 µs later.
OverviewTrace three_steps();

}  // namespace warpwalk
