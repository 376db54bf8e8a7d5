#include "tests/traces/warehouse_trace.h"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpwalk {

MemoryTrace& MemoryTrace::memory(double time, long address, long bytes, long allocated, long reserved, int thread,
                                 int device_type, int device) {
  events_ += fmt::format(
      R"({{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 10, "tid": {}, "ts": {:.3f}, )"
      R"("args": {{"Total Reserved": {}, "Total Allocated": {}, "Bytes": {}, "Addr": {}, "Device Id": {}, "Device Type": {}}}}},)"
      "\n",
      thread, 1000 + time, reserved, allocated, bytes, address, device_type == 0 ? -1 : device, device_type);
  return *this;
}

MemoryTrace& MemoryTrace::driver(double time, long address, long bytes, int device, std::string_view kind) {
  events_ += fmt::format(
      R"({{"ph": "i", "cat": "cuda_memory", "s": "t", "name": "{}", "pid": 10, "tid": 1000000000, "ts": {:.3f}, )"
      R"("args": {{"Addr": {}, "Bytes": {}, "kind": "{}", "device": {}}}}},)"
      "\n",
      bytes > 0 ? "allocation" : "release", 1000 + time, address, bytes > 0 ? bytes : -bytes, kind, device);
  return *this;
}

MemoryTrace& MemoryTrace::refused(double time, long bytes) {
  events_ += fmt::format(
      R"({{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[OutOfMemory]", "pid": 10, "tid": 10, "ts": {:.3f}, )"
      R"("args": {{"Total Reserved": 0, "Total Allocated": 0, "Bytes": {}, "Device Id": 0, "Device Type": 1}}}},)"
      "\n",
      1000 + time, bytes);
  return *this;
}

MemoryTrace& MemoryTrace::kernel(double start, double duration, int correlation, int record) {
  events_ += fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": {:.3f}, "dur": {:.3f}, "args": {{)"
      R"("device": 0, "context": 1, "stream": 7, "correlation": {}, "warpwalk record": {}}}}},)"
      "\n",
      1000 + start, duration, correlation, record);
  return *this;
}

MemoryTrace& MemoryTrace::h200(long memory) {
  devices_ = fmt::format(R"({{"id": 0, "name": "NVIDIA H200", "numSms": 132, "totalGlobalMem": {}}})", memory);
  return *this;
}

MemoryTrace& MemoryTrace::records(std::string json) {
  records_ = std::move(json);
  return *this;
}

std::string MemoryTrace::text() const {
  std::string text = small.text();
  const auto put = [&](std::string_view after, const std::string& what) {
    const std::size_t at = text.find(after);
    ASSERT_NE(at, std::string::npos) << text;
    text.insert(at + after.size(), what);
  };
  put("\"deviceProperties\": [", devices_);
  put("\"traceEvents\": [\n", events_);
  if (!records_.empty()) put("{", "\"warpwalk\": " + records_ + ", ");
  return text;
}

trace::Trace MemoryTrace::read() const {
  trace::ReadResult result = trace::read_trace_text(text());
  EXPECT_FALSE(result.error) << *result.error << "\n" << text();
  return std::move(result.trace);
}

MemoryTrace recorded_walk(bool segments, std::string_view more_allocations) {
  MemoryTrace made;
  made.small.op("aten::mm", 0, 100, R"("Input Dims": [[64, 32], [32, 64]], "Input type": ["float", "float"],
      "Input Strides": [[32, 1], [64, 1]])");
  made.small.call("cudaLaunchKernel", 40, 5, 1);
  made.kernel(50, 70, 1, 0);
  const std::string segment = segments ? R"("segment": 268435456, "segment_bytes": 2097152, )" : "";
  const auto allocation = [&](std::string_view name, long address, long bytes, long rounded, long from, long to) {
    return fmt::format(R"({{"name": "{}", "device": 0, "address": {}, "bytes": {}, "rounded_bytes": {}, {})"
                       R"("allocated_ns": {}, "freed_ns": {}}})",
                       name, address, bytes, rounded, segment, from, to);
  };
  // Times of records are since the file's base, which is 0: the trace starts at 1,000 us.
  made.records(fmt::format(R"({{"format": 1, "allocations": [{}, {}, {}{}], "kernels": [{{"entry": "gemm",
      "arguments": [{{"kind": "pointer", "dtype": "f32", "allocation": 0, "offset": 0}},
                    {{"kind": "scalar", "dtype": "i32", "bytes": "QAAAAA=="}},
                    {{"kind": "pointer", "dtype": "f32", "allocation": 2, "offset": 128}}]}}]}})",
                           allocation("a", 268435456, 8192, 8192, -1, -1),
                           allocation("b", 268443648, 8192, 8192, -1, -1),
                           allocation("c", 268451840, 16384, 16384, 1010000, 1150000), more_allocations));
  return made;
}

}  // namespace warpwalk
