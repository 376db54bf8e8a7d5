#pragma once

#include <cstdint>
#include <vector>

namespace warpwalk::story {

/// The operation that a call requests.
enum class StreamOp : std::uint8_t {
  none,         ///< no call
  copy_in,      ///< cudaMemcpyAsync, host to device
  kernel,       ///< kernel<<<...>>>
  copy_out,     ///< cudaMemcpyAsync, device to host
  record,       ///< cudaEventRecord, always of the same event
  wait,         ///< cudaStreamWaitEvent for that event, as it was last recorded before the call
  sync_stream,  ///< cudaStreamSynchronize
  sync_device,  ///< cudaDeviceSynchronize
};
constexpr bool is_copy(StreamOp op) { return op == StreamOp::copy_in || op == StreamOp::copy_out; }
/// It occupies a unit of the GPU for a time.
constexpr bool is_work(StreamOp op) { return is_copy(op) || op == StreamOp::kernel; }
/// It is queued in a stream; the others only make the CPU wait.
constexpr bool is_queued(StreamOp op) { return is_work(op) || op == StreamOp::record || op == StreamOp::wait; }

/// One call of a program.
struct StreamStep {
  StreamOp op = StreamOp::none;
  int stream = 1;          ///< 0: the default stream
  int quarters = 1;        ///< of the GPU's SMs, 1 to 4: one block each, which lasts `ns`
  std::int64_t ns = 1000;  ///< of a copy, or of each block of a kernel
  friend bool operator==(const StreamStep&, const StreamStep&) = default;
};

/// The default stream, and how the other streams were created.
enum class DefaultStream : std::uint8_t {
  legacy,        ///< waits for the other streams, and they wait for it
  non_blocking,  ///< legacy, but the others were created with cudaStreamNonBlocking
  per_thread,    ///< --default-stream per-thread: a stream like the others
};

struct StreamRules {
  DefaultStream mode = DefaultStream::legacy;
  bool pageable = false;     ///< host memory: a copy's call returns when the copy has ended
  int copy_engines = 2;      ///< 1: both directions share it
  std::int64_t call = 3000;  ///< ns that each call takes the CPU, at least 1
};

/// Why something waits.
enum class WaitCause : std::uint8_t { stream, default_stream, event, copy_engine, sms, copy, synchronize };
constexpr std::size_t wait_causes = static_cast<std::size_t>(WaitCause::synchronize) + 1;

struct StreamWait {
  std::int64_t from = 0, to = 0;
  WaitCause cause = WaitCause::stream;
  friend bool operator==(const StreamWait&, const StreamWait&) = default;
};

/// A quarter of the SMs that a kernel occupies for a time.
struct SmShare {
  std::int64_t from = 0, to = 0;
  int quarter = 0;
  friend bool operator==(const SmShare&, const SmShare&) = default;
};

/// The course of one call; times in ns since the first one.
struct StepRun {
  std::int64_t call = 0;            ///< the CPU begins the call
  std::int64_t issued = 0;          ///< the operation is in its stream
  std::int64_t returned = 0;        ///< later than `issued` if the CPU waits
  std::int64_t start = 0, end = 0;  ///< on the GPU; of events, the time at which they are reached, twice
  std::vector<StreamWait> waits;    ///< of the operation, from `issued` to `start`, in order, without gaps
  std::vector<SmShare> shares;      ///< of a kernel
};

struct StreamSchedule {
  std::vector<StepRun> steps;  ///< one for each step; all zero for StreamOp::none
  std::int64_t end = 0;        ///< of the last operation or call

  /// ns in which at least two copies or kernels ran.
  std::int64_t overlapped(const std::vector<StreamStep>& program) const;
  /// ns in which the CPU waited inside a call.
  std::int64_t cpu_waits() const;
};

/// Runs a program. One CPU thread makes the calls in order, without a pause. A stream is a queue: an operation begins
/// when those before it in its stream have ended. Copies of one engine and direction are served in the order in which
/// they became ready. The blocks of kernels are placed in the order in which the kernels became ready, and a kernel's
/// remaining blocks go before those of later kernels. Launch latencies on the GPU are left out.
StreamSchedule schedule(const std::vector<StreamStep>& program, const StreamRules& rules);

}  // namespace warpwalk::story
