// Why a GPU is idle: each cause, on traces of a few events. tests/app/idle_count.py counts the walks a second time.
#include "core/analysis/time/idle.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/time/idle_lines.h"
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
  Timeline& migration(int from, int to) {
    return event("gpu_memcpy", "Memcpy DtoH (unified memory)", from, to, R"("device": 0, "stream": 7)", 7, 0);
  }
  Timeline& pageable(int from, int to, int correlation) {
    return work("gpu_memcpy", from, to, correlation, 7, 0, "Memcpy HtoD (Pageable -> Device)");
  }
  Timeline& copy(int from, int to, int correlation) { return work("gpu_memcpy", from, to, correlation, 7, 0); }
  Timeline& frame(const std::string& name, int from, int to) { return event("python_function", name, from, to, "", 1); }
  Timeline& op(const std::string& name, int from, int to) { return event("cpu_op", name, from, to, "", 1); }
  Timeline& range(const std::string& name, int from, int to) { return event("user_annotation", name, from, to, "", 1); }
  Timeline& overhead(const std::string& name, int from, int to) { return event("overhead", name, from, to, "", 9); }
  Timeline& stream_wait(int from, int to, int correlation, int stream, int other, int record) {
    return event("cuda_sync", "Stream Wait Event", from, to,
                 fmt::format(R"("device": 0, "stream": {}, "correlation": {}, "wait_on_stream": {}, )"
                             R"("wait_on_cuda_event_record_corr_id": {})",
                             stream, correlation, other, record),
                 stream, 0);
  }

  std::string text() const { return fmt::format(R"({{"schemaVersion": 1, "traceEvents": [{}]}})", events_); }
  std::vector<IdleReport> reports() const {
    trace::ReadResult read = trace::read_trace_text(text());
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
            IdleCause::between);
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
            "between kernels 60");
}

// As in the trace of an inference server: the event that the stream waits for was recorded before the trace began.
TEST(Idle, AWaitForWhatIsNotInTheTraceIsUnknown) {
  const auto parts = [](int start) {
    return first()
        .call("cudaStreamWaitEvent", 20, 22, 3)
        .call("cudaLaunchKernel", 30, 35, 2)
        .kernel(start, start + 40, 2)
        .parts();
  };
  EXPECT_EQ(parts(300), "dependency 100");
  EXPECT_EQ(parts(301), "unrecorded 101");
  // Another GPU's work ended in the gap: that is what it waited for.
  const std::vector<IdleReport> gpus = first()
                                           .call("cudaLaunchKernel", 16, 17, 5)
                                           .kernel(100, 460, 5, 9, 1)
                                           .call("cudaStreamWaitEvent", 20, 22, 3)
                                           .call("cudaLaunchKernel", 30, 35, 2)
                                           .kernel(470, 500, 2)
                                           .reports();
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(gpus[0].of(IdleCause::dependency), 270'000);
  EXPECT_EQ(gpus[0].of(IdleCause::unrecorded), 0);
}

// Kernels of a sampled trace are missing; the GPU had the launch long before it began the work.
TEST(Idle, WorkThatBeginsLongAfterItsLaunchIsUnknown) {
  EXPECT_EQ(first().call("cudaLaunchKernel", 30, 35, 2).kernel(300, 340, 2).parts(), "between kernels 100");
  EXPECT_EQ(first().call("cudaLaunchKernel", 30, 35, 2).kernel(301, 340, 2).parts(), "unrecorded 101");
  EXPECT_EQ(first().call("cudaLaunchKernel", 250, 255, 2).kernel(355, 400, 2).parts(),
            "late launch 50, launch latency 105");
  EXPECT_EQ(first().call("cudaLaunchKernel", 250, 255, 2).kernel(356, 400, 2).parts(),
            "late launch 50, launch latency 5, unrecorded 101");
  const IdleReport report = first().call("cudaLaunchKernel", 30, 35, 2).kernel(500, 510, 2).report();
  EXPECT_EQ(report.verdict(), IdleVerdict::unexplained);
  EXPECT_EQ(report.largest_known(), IdleVerdict::busy);
  EXPECT_EQ(report.known_idle(), 0);
}

// The GPU waits for a launch only until it takes effect, and not at all for one that had returned before the gap.
TEST(Idle, BetweenQueuedKernelsNothingIsLate) {
  EXPECT_EQ(first().call("cudaLaunchKernel", 195, 200, 2).kernel(203, 300, 2).parts(), "between kernels 3");
  EXPECT_EQ(first().call("cudaLaunchKernel", 195, 201, 2).kernel(203, 300, 2).parts(), "launch latency 3");
  // The kernels of one graph: the second one is not late, although the call has not returned.
  EXPECT_EQ(Timeline().call("cudaGraphLaunch", 50, 400, 1).kernel(100, 200, 1).kernel(260, 300, 1).parts(),
            "between kernels 60");
  Timeline many = first();
  for (int i = 0; i < 9; ++i)
    many.call("cudaLaunchKernel", 20 + 2 * i, 21 + 2 * i, 10 + i).kernel(250 + 52 * i, 252 + 52 * i, 10 + i);
  EXPECT_EQ(many.report().verdict(), IdleVerdict::between);
  EXPECT_EQ(many.report().of(IdleCause::between), 450'000);
}

TEST(Idle, RoundingMakesNoGaps) {  // kernels from 100 to 200 and 200.001 to 300 µs
  trace::ReadResult read = trace::read_trace_text(
      R"({"schemaVersion": 1, "traceEvents": [
          {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100, "dur": 100,
           "args": {"device": 0, "stream": 7}},
          {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 200.001, "dur": 99.999,
           "args": {"device": 0, "stream": 7}}]})");
  const IdleReport report = idle_reports(read.trace).front();
  EXPECT_TRUE(report.gaps.empty());
  EXPECT_EQ(report.of(IdleCause::between), 1);
  EXPECT_EQ(report.idle(), 1);
}

// What the CPU prepares before the first kernel of a step is time in which the GPU had nothing to do.
TEST(Idle, AStepBeginsBeforeItsFirstKernel) {
  const auto report = [](const std::string& range) {
    return Timeline()
        .range(range, 0, 400)
        .frame("transforms.py(390): normalize", 5, 240)
        .call("cudaLaunchKernel", 250, 255, 1)
        .kernel(260, 360, 1)
        .report();
  };
  const IdleReport step = report("ProfilerStep#6");
  EXPECT_TRUE(step.from_step);
  EXPECT_EQ(step.span(), 360'000);
  EXPECT_EQ(step.of(IdleCause::late_launch), 250'000);
  EXPECT_EQ(step.of(IdleCause::latency), 10'000);
  EXPECT_EQ(step.verdict(), IdleVerdict::launch_bound);
  EXPECT_EQ(report("not a step").span(), 100'000);
  // A step in which the GPU had work from before.
  EXPECT_EQ(Timeline()
                .call("cudaLaunchKernel", 10, 15, 1)
                .kernel(60, 70, 1)
                .range("ProfilerStep#6", 20, 400)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 360, 2)
                .report()
                .from,
            60'000);
}

// Only what computes meanwhile hides communication: the blame is at most what the verdict counts.
TEST(Idle, NoLineIsToBlameForMoreThanThereIs) {
  trace::ReadResult read =
      trace::read_trace_text(first()
                                 .range("nccl:all_to_all", 20, 25)
                                 .call("cudaLaunchKernel", 21, 22, 2)
                                 .named("ncclDevKernel_SendRecv", 150, 900, 2, 8)
                                 .range("nccl:all_reduce", 30, 35)
                                 .call("cudaLaunchKernel", 31, 32, 3)
                                 .named("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 800, 1000, 3, 9)
                                 .text());
  const IdleReport report = idle_reports(read.trace).front();
  EXPECT_EQ(report.time_of(IdleVerdict::communicating), 800'000);
  const IdleLine culprit = culprit_of(read.trace, CodePlaces(read.trace), report);
  EXPECT_EQ(culprit.line, "nccl:all_to_all");
  EXPECT_EQ(culprit.time, 700'000);  // from 200 to 900; it ran beside a kernel before
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

TEST(Idle, ALongLaunchOfAGraphLoadsNoCode) {
  Timeline timeline;
  for (int i = 0; i < 12; ++i)
    timeline.call("cudaLaunchKernel", 10 + 10 * i, 15 + 10 * i, 10 + i).kernel(20 + 10 * i, 30 + 10 * i, 10 + i);
  EXPECT_EQ(timeline.call("hipGraphLaunch", 150, 450, 2).named("fresh", 460, 500, 2).parts(),
            "late launch 10, launch latency 310");
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

TEST(Idle, ACopyOfPageableMemoryHoldsTheCpu) {
  // Until the call returns, and then for as long as it held the CPU while the GPU worked.
  EXPECT_EQ(first().call("cudaMemcpyAsync", 195, 290, 2).pageable(295, 300, 2).parts(),
            "pageable copy 90, launch latency 5");
  const auto after_hold = [](int held_from) {
    return Timeline()
        .call("cudaMemcpyAsync", held_from, 198, 1)
        .pageable(100, 200, 1)
        .call("cudaLaunchKernel", 250, 255, 2)
        .kernel(260, 300, 2);
  };
  EXPECT_EQ(after_hold(90).parts(), "pageable copy 50, launch latency 10");
  EXPECT_EQ(after_hold(170).parts(), "pageable copy 28, late launch 22, launch latency 10");
  EXPECT_EQ(after_hold(90).report().verdict(), IdleVerdict::copy_bound);
  // Pinned memory, or another wait after it, holds up nothing.
  EXPECT_EQ(Timeline()
                .call("cudaMemcpyAsync", 90, 198, 1)
                .copy(100, 200, 1)
                .call("cudaLaunchKernel", 250, 255, 2)
                .kernel(260, 300, 2)
                .parts(),
            "late launch 50, launch latency 10");
  EXPECT_EQ(after_hold(90).call("cudaStreamSynchronize", 225, 230, 3).parts(),
            "late launch 25, synchronisation 5, late launch 20, launch latency 10");
  // PyTorch's copies that are not asynchronous end with a wait.
  EXPECT_EQ(after_hold(90).call("cudaStreamSynchronize", 199, 210, 3).parts(),
            "pageable copy 10, pageable copy 40, launch latency 10");
}

TEST(Idle, WhatAPageableCopyHeldUpIsSharedByTheGapsAfterIt) {
  const IdleReport report = Timeline()
                                .call("cudaMemcpyAsync", 120, 198, 1)
                                .pageable(100, 200, 1)
                                .call("cudaLaunchKernel", 250, 255, 2)
                                .kernel(260, 270, 2)
                                .call("cudaLaunchKernel", 330, 335, 3)
                                .kernel(340, 350, 3)
                                .report();
  // Held for 78: 50 in the first gap, 28 of 60 in the second.
  EXPECT_EQ(report.of(IdleCause::pageable), 78'000);
  EXPECT_EQ(report.of(IdleCause::late_launch), 32'000);
}

TEST(Idle, CallsThatTakeMemoryFromTheDriverAreAllocation) {
  for (const char* name : {"cudaMalloc", "cudaFree", "cuMemCreate", "cudaHostAlloc", "hipMalloc"})
    EXPECT_EQ(first().call(name, 210, 240, 9).call("cudaLaunchKernel", 250, 255, 2).kernel(260, 300, 2).parts(),
              "late launch 10, allocation 30, late launch 10, launch latency 10")
        << name;
}

TEST(Idle, BeforeAMoveOfUnifiedMemoryTheCpuIsTheCause) {
  const Timeline timeline =
      first().op("aten::item", 205, 230).migration(260, 300).call("cudaDeviceSynchronize", 240, 250, 3);
  EXPECT_EQ(timeline.parts(), "late launch 5, late launch 25, late launch 10, synchronisation 10, late launch 10");
}

}  // namespace
}  // namespace warpwalk::analysis
