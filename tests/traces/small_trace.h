#pragma once

#include <string>
#include <string_view>

#include "core/trace/read/read_trace.h"

namespace warpwalk {

/// A trace of a few events, written as the profiler writes it and read by the reader, so that tests see what users get.
/// Times are microseconds since the start.
class SmallTrace {
 public:
  SmallTrace& op(std::string_view name, double start, double duration, std::string_view more_args = {},
                 int thread = 10);
  SmallTrace& frame(std::string_view name, double start, double duration, int thread = 10);
  SmallTrace& range(std::string_view name, double start, double duration, int thread = 10);
  SmallTrace& call(std::string_view name, double start, double duration, int correlation, int thread = 10);
  /// Correlation 0: no launch is on record.
  SmallTrace& kernel(std::string_view name, double start, double duration, int correlation, int stream = 7);
  /// Grid, block and stream are not on record.
  SmallTrace& bare_kernel(std::string_view name, double start, double duration, int correlation = 0);
  SmallTrace& copy(std::string_view name, double start, double duration, int correlation, int stream = 7);
  SmallTrace& fill(double start, double duration, int correlation, int stream = 7);
  SmallTrace& overhead(std::string_view name, double start, double duration, int thread = 0);
  SmallTrace& allocation(double time, long bytes, int device_type = 1);
  SmallTrace& h200();

  /// The file's text.
  std::string text() const;
  /// Read and linked; a failed read is a test failure.
  trace::Trace read() const;

 private:
  SmallTrace& event(std::string_view category, std::string_view name, double start, double duration,
                    std::string_view pid, int thread, std::string_view args);

  std::string events_;
  std::string devices_;
};

/// The slice of this name, the `skip`-th of them; a missing one is a test failure.
trace::SliceId slice_named(const trace::Trace& trace, std::string_view name, int skip = 0);

/// One of the recorded walks of assets/walks, by its name without ".json.gz". Read once.
const trace::Trace& sample(std::string_view name);

/// A file of the repository, decompressed if it is compressed. Empty, with a failed expectation, if it cannot be read.
std::string file_contents(const std::string& file);

/// A trace or a memory snapshot of the repository; a failed read is a test failure.
trace::ReadResult read_trace_file(std::string_view file);

/// The names of all recorded walks.
constexpr std::string_view sample_names[] = {"relu_matmul", "two_streams", "mlp_train"};

}  // namespace warpwalk
