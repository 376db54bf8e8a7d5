// Why a GPU is idle: each cause, on traces of a few events. tests/app/idle_count.py counts the walks a second time.
#include "core/story/facts/analysis/idle.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/chrome/reader.h"

namespace warpwalk::story {
namespace {

// A trace of events that are described by their times in microseconds.
class Timeline {
 public:
  Timeline& call(const std::string& name, int from, int to, int correlation = 0, int thread = 1) {
    return event("cuda_runtime", name, from, to, fmt::format(R"("correlation": {})", correlation), thread);
  }
  Timeline& kernel(int from, int to, int correlation, int stream = 7, int device = 0) {
    return work("kernel", from, to, correlation, stream, device);
  }
  Timeline& copy(int from, int to, int correlation) { return work("gpu_memcpy", from, to, correlation, 7, 0); }
  Timeline& overhead(const std::string& name, int from, int to) { return event("overhead", name, from, to, "", 9); }

  std::vector<IdleReport> reports() const {
    trace::ReadResult read =
        trace::read_trace_text(fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}]}})", events_));
    EXPECT_FALSE(read.error) << *read.error;
    return idle_reports(read.trace);
  }
  IdleReport report() const {
    const auto all = reports();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? IdleReport{} : all.front();
  }
  IdleCause cause() const {
    const IdleReport only = report();
    EXPECT_EQ(only.gaps.size(), 1u);
    return only.gaps.empty() ? IdleCause::unknown : only.gaps.front().cause;
  }

 private:
  Timeline& work(const std::string& category, int from, int to, int correlation, int stream, int device) {
    return event(category, category, from, to,
                 fmt::format(R"("correlation": {}, "device": {}, "stream": {})", correlation, device, stream), stream,
                 device);
  }
  Timeline& event(const std::string& category, const std::string& name, int from, int to, const std::string& args,
                  int thread, int process = 1) {
    events_ += fmt::format(
        R"({}{{"ph": "X", "cat": "{}", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
        events_.empty() ? "" : ",\n", category, name, process, thread, from, to - from, args);
    return *this;
  }

  std::string events_;
};

// A kernel from 100 to 200 that was launched at 10.
Timeline first() { return Timeline().call("cudaLaunchKernel", 10, 15, 1).kernel(100, 200, 1); }

TEST(Idle, ALaunchThatBeginsAfterTheGpuRanDryIsLate) {
  EXPECT_EQ(first().call("cudaLaunchKernel", 250, 255, 2).kernel(260, 300, 2).cause(), IdleCause::late_launch);
}

TEST(Idle, ALaunchThatBeganBeforeIsLatency) {
  EXPECT_EQ(first().call("cudaLaunchKernel", 199, 205, 2).kernel(207, 300, 2).cause(), IdleCause::latency);
}

TEST(Idle, AThreadThatWaitedForTheGpuLaunchesLate) {
  const auto timeline = first().call("cudaDeviceSynchronize", 20, 203, 3).call("cudaLaunchKernel", 250, 255, 2);
  EXPECT_EQ(Timeline(timeline).kernel(260, 300, 2).cause(), IdleCause::synchronisation);
  // Another thread's wait holds up nothing.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 203, 3, 2)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .cause(),
            IdleCause::late_launch);
  // A wait that ended before the GPU ran dry neither.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 199, 3)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .cause(),
            IdleCause::late_launch);
}

TEST(Idle, ACopyThatTheCpuPreparesIsTheCause) {
  EXPECT_EQ(first().call("cudaMemcpyAsync", 195, 290, 2).copy(295, 300, 2).cause(), IdleCause::copy);
  EXPECT_EQ(first().call("cudaMemcpyAsync", 210, 290, 2).copy(295, 300, 2).cause(), IdleCause::copy);
  EXPECT_EQ(first().call("cudaMemcpyAsync", 285, 290, 2).copy(295, 300, 2).cause(), IdleCause::late_launch);
}

TEST(Idle, AStreamThatWasToldToWaitDepends) {
  EXPECT_EQ(
      first().call("cudaStreamWaitEvent", 20, 22, 3).call("cudaLaunchKernel", 30, 35, 2).kernel(260, 300, 2).cause(),
      IdleCause::dependency);
  // Before the work before on this stream it has been fulfilled.
  EXPECT_EQ(Timeline()
                .call("cudaStreamWaitEvent", 5, 6, 3)
                .call("cudaLaunchKernel", 10, 15, 1)
                .kernel(100, 200, 1)
                .call("cudaLaunchKernel", 30, 35, 2)
                .kernel(260, 300, 2)
                .cause(),
            IdleCause::latency);
}

TEST(Idle, TheProfilersOwnWorkComesFirst) {
  const auto with = [](int to) {
    return first().overhead("Buffer Flush", 200, to).call("cudaLaunchKernel", 290, 295, 2).kernel(300, 400, 2).cause();
  };
  EXPECT_EQ(with(251), IdleCause::profiler);
  EXPECT_EQ(with(250), IdleCause::late_launch);
  // CUDA's own work is recorded as overhead too.
  EXPECT_EQ(first()
                .overhead("Lazy Function Loading", 200, 290)
                .call("cudaLaunchKernel", 290, 295, 2)
                .kernel(300, 400, 2)
                .cause(),
            IdleCause::late_launch);
}

TEST(Idle, WorkWithoutALaunchIsUnknown) { EXPECT_EQ(first().kernel(260, 300, 5).cause(), IdleCause::unknown); }

TEST(Idle, OnlyTimesWithoutWorkOnAnyStreamCount) {
  const IdleReport report = first().kernel(150, 250, 2, 8).copy(240, 260, 3).kernel(400, 500, 4).report();
  EXPECT_EQ(report.span(), 400'000);
  EXPECT_EQ(report.computing, 250'000);
  EXPECT_EQ(report.copying, 10'000);
  EXPECT_EQ(report.idle(), 140'000);
  ASSERT_EQ(report.gaps.size(), 1u);
  EXPECT_EQ(report.gaps[0].length(), 140'000);
}

TEST(Idle, EachGpuHasItsOwnReport) {
  const auto reports = first().kernel(300, 400, 2, 7, 0).kernel(120, 390, 3, 7, 1).reports();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].idle(), 100'000);
  EXPECT_EQ(reports[1].idle(), 0);
}

TEST(Idle, TheVerdictIsWhatTakesTheMost) {
  const auto verdict = [](int end_of_kernel, int launch, bool waits) {
    Timeline timeline = Timeline().call("cudaLaunchKernel", 10, 15, 1).kernel(100, end_of_kernel, 1);
    if (waits) timeline.call("cudaStreamSynchronize", 20, end_of_kernel + 1, 3);
    return timeline.call("cudaLaunchKernel", launch, launch + 1, 2)
        .kernel(launch + 2, launch + 3, 2)
        .report()
        .verdict();
  };
  EXPECT_EQ(verdict(200, 250, false), IdleVerdict::busy);
  EXPECT_EQ(verdict(200, 350, false), IdleVerdict::launch_bound);
  EXPECT_EQ(verdict(200, 350, true), IdleVerdict::synchronised);
  EXPECT_EQ(Timeline().copy(100, 200, 1).kernel(210, 220, 2).report().verdict(), IdleVerdict::copy_bound);
  EXPECT_EQ(IdleReport{}.verdict(), IdleVerdict::nothing);
}

TEST(Idle, ATraceWithoutGpuWorkHasNoReport) { EXPECT_TRUE(Timeline().call("cudaMalloc", 10, 20).reports().empty()); }

}  // namespace
}  // namespace warpwalk::story
