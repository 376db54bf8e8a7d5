#include "tests/traces/small_trace.h"

#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/platform/byte_source.h"

namespace warpwalk {

SmallTrace& SmallTrace::event(std::string_view category, std::string_view name, double start, double duration,
                              std::string_view pid, int thread, std::string_view args) {
  if (!events_.empty()) events_ += ",\n";
  events_ += fmt::format(
      R"({{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {:.3f}, "dur": {:.3f}, "args": {{{}}}}})",
      category, name, pid, thread, 1000 + start, duration, args);
  return *this;
}

SmallTrace& SmallTrace::op(std::string_view name, double start, double duration, std::string_view more_args,
                           int thread) {
  return event("cpu_op", name, start, duration, "10", thread, more_args);
}

SmallTrace& SmallTrace::frame(std::string_view name, double start, double duration, int thread) {
  return event("python_function", name, start, duration, "10", thread, R"("Python id": 1)");
}

SmallTrace& SmallTrace::range(std::string_view name, double start, double duration, int thread) {
  return event("user_annotation", name, start, duration, "10", thread, {});
}

SmallTrace& SmallTrace::call(std::string_view name, double start, double duration, int correlation, int thread) {
  return event("cuda_runtime", name, start, duration, "10", thread,
               fmt::format(R"("cbid": 211, "correlation": {})", correlation));
}

SmallTrace& SmallTrace::kernel(std::string_view name, double start, double duration, int correlation, int stream) {
  return event("kernel", name, start, duration, "0", stream,
               fmt::format(R"("device": 0, "context": 1, "stream": {}, "correlation": {}, "registers per thread": 40, )"
                           R"("shared memory": 0, "grid": [66, 2, 1], "block": [100, 1, 1])",
                           stream, correlation));
}

SmallTrace& SmallTrace::bare_kernel(std::string_view name, double start, double duration, int correlation) {
  return event("kernel", name, start, duration, "0", 7, fmt::format(R"("correlation": {})", correlation));
}

SmallTrace& SmallTrace::copy(std::string_view name, double start, double duration, int correlation, int stream) {
  return event(
      "gpu_memcpy", name, start, duration, "0", stream,
      fmt::format(R"("device": 0, "context": 1, "stream": {}, "correlation": {}, "bytes": 4096)", stream, correlation));
}

SmallTrace& SmallTrace::fill(double start, double duration, int correlation, int stream) {
  return event(
      "gpu_memset", "Memset (Device)", start, duration, "0", stream,
      fmt::format(R"("device": 0, "context": 1, "stream": {}, "correlation": {}, "bytes": 4)", stream, correlation));
}

SmallTrace& SmallTrace::overhead(std::string_view name, double start, double duration, int thread) {
  return event("overhead", name, start, duration, "-1", thread, "");
}

SmallTrace& SmallTrace::allocation(double time, long bytes, int device_type) {
  if (!events_.empty()) events_ += ",\n";
  events_ += fmt::format(
      R"({{"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": 10, "tid": 10, "ts": {:.3f}, )"
      R"("args": {{"Total Reserved": 0, "Total Allocated": 0, "Bytes": {}, "Addr": 4096, "Device Id": 0, "Device Type": {}}}}})",
      1000 + time, bytes, device_type);
  return *this;
}

SmallTrace& SmallTrace::h200() {
  devices_ = R"({"id": 0, "name": "NVIDIA H200", "numSms": 132})";
  return *this;
}

std::string SmallTrace::text() const {
  return fmt::format("{{\"schemaVersion\": 1, \"deviceProperties\": [{}], \"traceEvents\": [\n{}\n]}}", devices_,
                     events_);
}

trace::Trace SmallTrace::read() const {
  trace::ReadResult result = trace::read_trace_text(text());
  EXPECT_FALSE(result.error) << *result.error << "\n" << text();
  return std::move(result.trace);
}

trace::SliceId slice_named(const trace::Trace& trace, std::string_view name, int skip) {
  for (trace::SliceId s = 0; s < trace.slices.size(); ++s)
    if (trace.name(s) == name && skip-- == 0) return s;
  ADD_FAILURE() << "no slice is named " << name;
  return trace::no_slice;
}

const trace::Trace& sample(std::string_view name) {
  static std::map<std::string, trace::Trace, std::less<>> read;
  const auto found = read.find(name);
  if (found != read.end()) return found->second;
  trace::ReadResult result = trace::read_trace(fmt::format("{}/assets/walks/{}.json.gz", WARPWALK_SOURCE_DIR, name));
  EXPECT_FALSE(result.error) << *result.error;
  return read.emplace(std::string(name), std::move(result.trace)).first->second;
}

std::string file_contents(const std::string& file) {
  const auto opened = platform::open_source(std::string(WARPWALK_SOURCE_DIR) + "/" + file);
  EXPECT_TRUE(opened) << file;
  if (!opened) return {};
  std::string text, block(std::size_t{1} << 16, '\0');
  while (const std::size_t count = (*opened)->read(block.data(), block.size())) text.append(block, 0, count);
  return text;
}

trace::ReadResult read_trace_file(std::string_view file) {
  trace::ReadResult result = trace::read_trace(fmt::format("{}/{}", WARPWALK_SOURCE_DIR, file));
  EXPECT_FALSE(result.error) << *result.error;
  return result;
}

}  // namespace warpwalk
