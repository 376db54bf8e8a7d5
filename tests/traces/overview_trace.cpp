#include "tests/traces/overview_trace.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk {

OverviewTrace& OverviewTrace::event(std::string_view category, std::string_view name, long from, long to, int process,
                                    int thread, std::string_view args) {
  constexpr long start = 1'000'000;
  const auto time = [](long ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); };
  events_ += fmt::format(
      R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
      events_.empty() ? "" : ",\n", category, name, process, thread, time(start + from), time(to - from), args);
  return *this;
}

OverviewTrace& OverviewTrace::op(std::string_view name, long from, long to, int thread, std::string_view more_args) {
  return event("cpu_op", name, from, to, 100, thread, more_args);
}
OverviewTrace& OverviewTrace::frame(std::string_view name, long from, long to, int thread) {
  return event("python_function", name, from, to, 100, thread, R"("Python id": 1)");
}
OverviewTrace& OverviewTrace::range(std::string_view name, long from, long to, int thread) {
  return event("user_annotation", name, from, to, 100, thread, "");
}
OverviewTrace& OverviewTrace::call(std::string_view name, long from, long to, int correlation, int thread) {
  return event("cuda_runtime", name, from, to, 100, thread, fmt::format(R"("correlation": {})", correlation));
}
OverviewTrace& OverviewTrace::kernel(std::string_view name, long from, long to, int correlation, int stream,
                                     int device) {
  return event("kernel", name, from, to, device, stream,
               fmt::format(R"("device": {}, "stream": {}, "correlation": {}, "grid": [2, 1, 1], "block": [32, 1, 1])",
                           device, stream, correlation));
}
OverviewTrace& OverviewTrace::copy(std::string_view name, long from, long to, int correlation, int stream) {
  return event("gpu_memcpy", name, from, to, 0, stream,
               fmt::format(R"("device": 0, "stream": {}, "correlation": {}, "bytes": 4096)", stream, correlation));
}
OverviewTrace& OverviewTrace::overhead(std::string_view name, long from, long to) {
  return event("overhead", name, from, to, -1, 0, "");
}
OverviewTrace& OverviewTrace::stream_wait(long from, long to, int correlation, int stream, int other, int record) {
  return event("cuda_sync", "Stream Wait Event", from, to, 0, stream,
               fmt::format(R"("device": 0, "stream": {}, "correlation": {}, "wait_on_stream": {}, )"
                           R"("wait_on_cuda_event_record_corr_id": {})",
                           stream, correlation, other, record));
}
OverviewTrace& OverviewTrace::stream_sync(long from, long to, int correlation, int stream) {
  return event("cuda_sync", "Stream Sync", from, to, 0, stream,
               fmt::format(R"("device": 0, "stream": {}, "correlation": {})", stream, correlation));
}

std::string OverviewTrace::text() const {
  return fmt::format(
      R"({{"schemaVersion": 1, "deviceProperties": [{{"id": 0, "name": "NVIDIA H200", "numSms": 132}}], )"
      "\"traceEvents\": [\n{}\n]}}",
      events_);
}

trace::Trace OverviewTrace::read() const {
  trace::ReadResult result = trace::read_trace_text(text());
  EXPECT_FALSE(result.error) << *result.error << "\n" << text();
  return std::move(result.trace);
}

OverviewTrace three_steps() {
  OverviewTrace made;
  for (int step = 0; step < 3; ++step) {
    const long at = step * 1'200'000L, more = step == 1 ? 200'000 : 0;
    made.range(fmt::format("ProfilerStep#{}", step), at, at + 900'000 + more)
        .op("aten::mm", at + 10'000, at + 60'000)
        .call("cudaLaunchKernel", at + 20'000, at + 30'000, 10 * step + 1)
        .kernel("gemm", at + 35'000, at + 135'000, 10 * step + 1)
        .op("aten::relu", at + 400'000 + more, at + 460'000 + more)
        .call("cudaLaunchKernel", at + 410'000 + more, at + 420'000 + more, 10 * step + 2)
        .kernel("relu", at + 425'000 + more, at + 475'000 + more, 10 * step + 2)
        .call("cudaMemcpyAsync", at + 480'000 + more, at + 560'000 + more, 10 * step + 3)
        .copy("Memcpy DtoH (Device -> Pageable)", at + 500'000 + more, at + 550'000 + more, 10 * step + 3)
        .op("aten::to", at + 470'000 + more, at + 570'000 + more);
  }
  return made;
}

}  // namespace warpwalk
