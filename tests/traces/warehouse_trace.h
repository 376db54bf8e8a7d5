#pragma once

#include <string>
#include <string_view>

#include "tests/traces/small_trace.h"

namespace warpwalk {

constexpr long mib = 1048576;
/// The lowest address of the traces' memory.
constexpr long first_address = 0x7f0000000000;

/// A small trace with memory events as PyTorch's profiler writes them, or with warpwalk's own records.
class MemoryTrace {
 public:
  SmallTrace small;

  /// Totals are those after the event. Times are microseconds, as in SmallTrace.
  MemoryTrace& memory(double time, long address, long bytes, long allocated, long reserved, int thread = 10,
                      int device_type = 1, int device = 0);
  /// Memory that the program allocated from the driver or, with negative bytes, returned, as written by
  /// `warpwalk record`.
  MemoryTrace& driver(double time, long address, long bytes, int device = 0, std::string_view kind = "Device");
  MemoryTrace& refused(double time, long bytes);
  /// A kernel whose record is this row of the records.
  MemoryTrace& kernel(double start, double duration, int correlation, int record);
  /// The GPU's record, with this much memory.
  MemoryTrace& h200(long memory);
  /// The value of the "warpwalk" key.
  MemoryTrace& records(std::string json);

  std::string text() const;
  trace::Trace read() const;

 private:
  std::string events_;
  std::string devices_;
  std::string records_;
};

/// aten::mm of 64 x 32 and 32 x 64 floats, whose allocations warpwalk recorded: a, b (before the trace) and c, in one
/// segment of 2 MiB at 0x10000000 if `segments`; c is made at 10 us and freed at 150 us. The kernel has their
/// addresses.
MemoryTrace recorded_walk(bool segments = true, std::string_view more_allocations = {});

}  // namespace warpwalk
