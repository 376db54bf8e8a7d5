// Why a GPU is idle: each cause, on traces of a few events. tests/app/idle_count.py counts the walks a second time.
#include "core/analysis/time/idle.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/trace/read/read_trace.h"

namespace warpwalk::analysis {
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
  Timeline& named(const std::string& kernel, int from, int to, int correlation, int stream = 7) {
    return work("kernel", from, to, correlation, stream, 0, kernel);
  }
  Timeline& copy(int from, int to, int correlation) { return work("gpu_memcpy", from, to, correlation, 7, 0); }
  Timeline& frame(const std::string& name, int from, int to) { return event("python_function", name, from, to, "", 1); }
  Timeline& op(const std::string& name, int from, int to) { return event("cpu_op", name, from, to, "", 1); }
  Timeline& overhead(const std::string& name, int from, int to) { return event("overhead", name, from, to, "", 9); }
  Timeline& stream_wait(int from, int to, int correlation, int stream, int other, int record) {
    return event("cuda_sync", "Stream Wait Event", from, to,
                 fmt::format(R"("device": 0, "stream": {}, "correlation": {}, "wait_on_stream": {}, )"
                             R"("wait_on_cuda_event_record_corr_id": {})",
                             stream, correlation, other, record),
                 stream, 0);
  }

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
  // The parts of the only gap, in µs: "late launch 50, launch latency 10".
  std::string parts() const {
    const IdleReport only = report();
    EXPECT_EQ(only.gaps.size(), 1u);
    if (only.gaps.size() != 1) return {};
    std::string text;
    std::int64_t at = only.gaps.front().from;
    for (const IdlePart& part : only.parts_of(only.gaps.front())) {
      EXPECT_EQ(part.from, at);
      at = part.to;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(part.cause), part.length() / 1000);
    }
    EXPECT_EQ(at, only.gaps.front().to);
    return text;
  }
  IdleCause cause() const {
    const IdleReport only = report();
    EXPECT_EQ(only.gaps.size(), 1u);
    return only.gaps.empty() ? IdleCause::unknown : only.gaps.front().cause;
  }

 private:
  Timeline& work(const std::string& category, int from, int to, int correlation, int stream, int device,
                 const std::string& name = {}) {
    return event(category, name.empty() ? category : name, from, to,
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

TEST(Idle, AGapIsSplitAtTheEndOfTheWaitAndAtTheLaunch) {
  // The CPU waited from 20, so without the wait it would have been ahead by up to 180 µs: all 47 µs until the launch.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 203, 3)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "synchronisation 3, restart 47, launch latency 10");
  // It had waited for 8 µs only.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 192, 203, 3)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "synchronisation 3, restart 8, late launch 39, launch latency 10");
  // It began to wait when the GPU had no work any more: it waited for nothing.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 210, 215, 3)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "late launch 10, synchronisation 5, late launch 35, launch latency 10");
  // Another thread's wait holds up nothing while the launching thread works.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 203, 3, 2)
                .op("aten::mm", 15, 290)
                .call("cudaLaunchKernel", 230, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "late launch 30, launch latency 30");
  // A thread that has begun nothing was woken by the other one, after its wait.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 203, 3, 2)
                .call("cudaLaunchKernel", 230, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "synchronisation 3, restart 27, launch latency 30");
  // A wait that ended before the GPU ran dry neither.
  EXPECT_EQ(first()
                .call("cudaDeviceSynchronize", 20, 199, 3)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "late launch 50, launch latency 10");
}

TEST(Idle, AShortWaitIsNotBlamedForALongGap) {
  const IdleReport report = first()
                                .call("cudaStreamSynchronize", 195, 201, 3)
                                .call("cudaLaunchKernel", 3'632'000, 3'632'005, 2)
                                .kernel(3'632'010, 3'632'100, 2)
                                .report();
  ASSERT_EQ(report.gaps.size(), 1u);
  EXPECT_EQ(report.gaps[0].cause, IdleCause::late_launch);
  EXPECT_EQ(report.of(IdleCause::synchronisation) + report.of(IdleCause::restart), 6'000);
}

TEST(Idle, ACopyThatTheCpuPreparesIsTheCause) {
  EXPECT_EQ(first().call("cudaMemcpyAsync", 195, 290, 2).copy(295, 300, 2).parts(), "copy 90, launch latency 5");
  EXPECT_EQ(first().call("cudaMemcpyAsync", 210, 290, 2).copy(295, 300, 2).parts(),
            "late launch 10, copy 80, launch latency 5");
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

TEST(Idle, AStreamWaitsNoLongerThanForTheRecordedWork) {  // of another GPU; see also the wild trace 17
  EXPECT_EQ(first()
                .call("cudaEventRecord", 18, 19, 4)
                .call("cudaStreamWaitEvent", 20, 22, 3)
                .stream_wait(20, 22, 3, 7, 9, 4)
                .call("cudaLaunchKernel", 16, 17, 5)
                .kernel(100, 170, 5, 9)
                .call("cudaLaunchKernel", 30, 35, 2)
                .kernel(260, 300, 2)
                .parts(),
            "launch latency 60");
}

TEST(Idle, TheProfilersAndCudasOwnWorkAreParts) {
  EXPECT_EQ(
      first().overhead("Buffer Flush", 190, 230).call("cudaLaunchKernel", 290, 295, 2).kernel(300, 400, 2).parts(),
      "profiler 30, late launch 60, launch latency 10");
  EXPECT_EQ(
      first().overhead("Buffer Flush", 292, 296).call("cudaLaunchKernel", 290, 295, 2).kernel(300, 400, 2).parts(),
      "late launch 90, launch latency 2, profiler 4, launch latency 4");
  EXPECT_EQ(first()
                .overhead("Lazy Function Loading", 200, 290)
                .call("cudaLaunchKernel", 290, 295, 2)
                .kernel(300, 400, 2)
                .parts(),
            "loading 90, launch latency 10");
  EXPECT_EQ(
      first().call("cuModuleLoadData", 210, 280).call("cudaLaunchKernel", 290, 295, 2).kernel(300, 400, 2).parts(),
      "late launch 10, loading 70, late launch 10, launch latency 10");
}

TEST(Idle, TheFirstLaunchOfAKernelThatTakesVeryLongLoadsItsCode) {
  Timeline timeline;
  for (int i = 0; i < 12; ++i)
    timeline.call("cudaLaunchKernel", 10 + 10 * i, 15 + 10 * i, 10 + i).kernel(20 + 10 * i, 30 + 10 * i, 10 + i);
  // kernels are named by their category; a new name, launched for the first time
  EXPECT_EQ(Timeline(timeline).call("cudaLaunchKernel", 150, 14'750, 2).named("fresh", 14'760, 14'800, 2).parts(),
            "late launch 10, loading 14600, launch latency 10");
  EXPECT_EQ(Timeline(timeline).call("cudaLaunchKernel", 150, 14'750, 2).kernel(14'760, 14'800, 2).parts(),
            "late launch 10, launch latency 14610");
}

TEST(Idle, ABlockedThreadDoesNotWork) {
  EXPECT_EQ(first()
                .frame("train.py(3): main", 10, 400)
                .frame("<built-in function sleep>", 205, 245)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "late launch 5, blocked 40, late launch 5, launch latency 10");
}

TEST(Idle, ACollectiveOnTheCpuIsCommunication) {
  EXPECT_EQ(first().op("c10d::barrier", 205, 245).call("cudaLaunchKernel", 250, 255, 2).kernel(260, 300, 2).parts(),
            "late launch 5, communication 40, late launch 5, launch latency 10");
}

TEST(Idle, AGpuThatCommunicatesDoesNotCompute) {
  const IdleReport report = first()
                                .call("cudaLaunchKernel", 20, 25, 2)
                                .named("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 150, 1100, 2, 8)
                                .report();
  EXPECT_EQ(report.computing, 100'000);
  EXPECT_EQ(report.communicating, 900'000);
  EXPECT_EQ(report.idle(), 0);
  EXPECT_EQ(report.verdict(), IdleVerdict::communicating);
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
  EXPECT_EQ(verdict(300, 350, true), IdleVerdict::busy);
  EXPECT_EQ(verdict(150, 270, true), IdleVerdict::synchronised);
  EXPECT_EQ(Timeline().copy(100, 200, 1).kernel(210, 220, 2).report().verdict(), IdleVerdict::copy_bound);
  EXPECT_EQ(IdleReport{}.verdict(), IdleVerdict::nothing);
}

TEST(Idle, ATraceWithoutGpuWorkHasNoReport) { EXPECT_TRUE(Timeline().call("cudaMalloc", 10, 20).reports().empty()); }

}  // namespace
}  // namespace warpwalk::analysis
