#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// One call of a recorded program on several streams, and the operation that it queued. Times: ns since the program's
/// first call.
struct RecordedStep {
  std::string program;    ///< "two_streams"
  std::string mode;       ///< of the default stream: "legacy", "non_blocking", "per_thread"
  bool pageable = false;  ///< host memory of the copies
  std::string kind;       ///< "h2d", "kernel", "d2h", "record", "wait", "sync_stream", "sync_device"
  int stream = 0;         ///< 0: the default stream
  int quarters = 0;       ///< of the SMs, of a kernel
  double nominal = 0;     ///< ns that the program asked for: of a copy, or of each block of a kernel
  double call = 0, returned = 0;
  std::optional<double> start, end;  ///< on the GPU; none for events and synchronization
};

/// The CPU time of calls, and of single launches against graphs; medians.
struct RecordedCalls {
  std::string what;      ///< "launch", "sync_stream_idle", "single_launches", "graph" ...
  double count = 0;      ///< kernels, or bytes of a copy
  double kernel_ns = 0;  ///< that each kernel spins; 0: an empty kernel
  double cpu_ns = 0;     ///< until the calls had returned
  double total_ns = 0;   ///< until the GPU had finished
};

/// The recordings of streams on an H200.
struct StreamRecord {
  std::vector<RecordedStep> steps;
  std::vector<RecordedCalls> calls;

  /// The steps of a program in the order of the calls; empty if it was not recorded.
  std::vector<RecordedStep> program(std::string_view name) const;
  /// Null if it was not measured.
  const RecordedCalls* find(std::string_view what, double count = 1, double kernel_ns = 0) const;
};

/// Read files of assets/devices (ID_streams.csv and ID_calls.csv), which tests/cuda/microbench/streams.cu writes. On
/// failure, they return a one-line message without the file's name.
base::Result<std::vector<RecordedStep>> parse_stream_steps(std::string_view text);
base::Result<std::vector<RecordedCalls>> parse_stream_calls(std::string_view text);

}  // namespace warpwalk::records
