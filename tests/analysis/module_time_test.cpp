// Time by module on traces of a few events, counted by hand. Times are microseconds.
#include "core/analysis/modules/module_time.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/analysis/intervals.h"
#include "core/analysis/modules/module_table.h"
#include "core/analysis/time/idle.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

using ::testing::ElementsAre;

ModuleCost cost(long cpu_forward, long cpu_backward, long gpu_forward, long gpu_backward, long idle) {
  return {1000 * cpu_forward, 1000 * cpu_backward, 1000 * gpu_forward, 1000 * gpu_backward, 1000 * idle};
}

const ModuleTime& module_at(const ModuleTimes& times, const std::string& path) {
  for (std::size_t i = 0; i < times.modules.size(); ++i)
    if (times.path_text(i) == path) return times.modules[i];
  ADD_FAILURE() << "there is no module " << path;
  return times.whole();
}

std::vector<std::string> paths_of(const ModuleTimes& times) {
  std::vector<std::string> paths;
  for (std::size_t i = 1; i < times.modules.size(); ++i) paths.push_back(times.path_text(i));
  return paths;
}

void expect_self_times_add_up(const ModuleTimes& times) {
  ModuleCost sum;
  for (const ModuleTime& one : times.modules) sum += one.self;
  EXPECT_EQ(sum, times.whole().total);
  for (const ModuleTime& one : times.modules) {
    ModuleCost inside = one.self;
    for (const std::size_t child : one.children) inside += times.modules[child].total;
    EXPECT_EQ(inside, one.total) << one.name;
  }
}

// Forward of a step that starts at `at`: Net_0 [10,110] with Linear_0 [20,50] and ReLU_0 [60,80], each of which
// launches a kernel, and one that Net_0 launches itself; then the backward ops on another thread, and an optimizer.
void add_step(SmallTrace& trace, int at, int number) {
  const std::string forward = R"("Fwd thread id": 0, "Sequence number": )", backward = R"("Fwd thread id": 1, )";
  const auto sequence = [&](int op) { return std::to_string(10 * number + op); };
  const int first = 10 * number;
  trace.frame("train.py(9): step", at, 400)
      .frame("nn.Module: Net_0", at + 10, 100)
      .frame("nn.Module: Linear_0", at + 20, 30)
      .op("aten::addmm", at + 25, 20, forward + sequence(1))
      .call("cudaLaunchKernel", at + 30, 5, first + 1)
      .frame("nn.Module: ReLU_0", at + 60, 20)
      .op("aten::relu", at + 62, 10, forward + sequence(2))
      .call("cudaLaunchKernel", at + 64, 5, first + 2)
      .op("aten::add", at + 85, 10, forward + sequence(3))
      .call("cudaLaunchKernel", at + 87, 5, first + 3)
      .op("AddBackward0", at + 150, 10, backward + R"("Sequence number": )" + sequence(3), 20)
      .op("ReluBackward0", at + 160, 20, backward + R"("Sequence number": )" + sequence(2), 20)
      .call("cudaLaunchKernel", at + 165, 5, first + 4, 20)
      .op("AddmmBackward0", at + 180, 50, backward + R"("Sequence number": )" + sequence(1), 20)
      .call("cudaLaunchKernel", at + 185, 5, first + 5, 20)
      .call("cudaLaunchKernel", at + 195, 5, first + 6, 20)
      .op("aten::_foreach_add_", at + 300, 50)
      .call("cudaLaunchKernel", at + 310, 5, first + 7)
      .kernel("gemm", at + 40, 15, first + 1)
      .kernel("relu", at + 75, 5, first + 2)
      .kernel("add", at + 95, 8, first + 3)
      .kernel("relu_backward", at + 170, 6, first + 4)
      .kernel("gemm_a", at + 190, 20, first + 5)
      .kernel("gemm_b", at + 210, 25, first + 6)
      .kernel("adam", at + 320, 40, first + 7);
}

trace::Trace two_steps() {
  SmallTrace trace;
  add_step(trace, 0, 1);
  add_step(trace, 500, 2);
  return trace.read();
}

TEST(ModuleTime, CallsOfOnePathAreAddedOverSteps) {
  const trace::Trace trace = two_steps();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  EXPECT_EQ(times.grouping, ModuleGrouping::modules);
  EXPECT_THAT(paths_of(times), ElementsAre("Net_0", "Net_0 / Linear_0", "Net_0 / ReLU_0"));
  const ModuleTime& linear = module_at(times, "Net_0 / Linear_0");
  EXPECT_EQ(linear.calls, 2u);
  EXPECT_EQ(linear.depth, 2u);
  EXPECT_EQ(trace.name(linear.longest), "gemm_b");
  EXPECT_EQ(linear.example, slice_named(trace, "nn.Module: Linear_0"));
  const ModuleTime& net = module_at(times, "Net_0");
  EXPECT_EQ(net.calls, 2u);
  EXPECT_EQ(trace.name(net.longest_self), "add");
  expect_self_times_add_up(times);
}

TEST(ModuleTime, EachKindOfTimeIsCounted) {
  const trace::Trace trace = two_steps();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  EXPECT_EQ(module_at(times, "Net_0 / Linear_0").total, cost(2 * 30, 2 * 50, 2 * 15, 2 * (20 + 25), 0));
  EXPECT_EQ(module_at(times, "Net_0 / ReLU_0").total, cost(2 * 20, 2 * 20, 2 * 5, 2 * 6, 0));
  EXPECT_EQ(module_at(times, "Net_0").self, cost(2 * (100 - 30 - 20), 2 * 10, 2 * 8, 0, 0));
  EXPECT_EQ(module_at(times, "Net_0").total, cost(2 * 100, 2 * 80, 2 * 28, 2 * 51, 0));
  EXPECT_EQ(times.whole().self, cost(2 * 300, 0, 2 * 40, 0, 0));
  EXPECT_EQ(times.whole().total, cost(2 * 400, 2 * 80, 2 * 68, 2 * 51, 0));
}

TEST(ModuleTime, PartsOfKernelsAreRowsInsideTheModule) {
  const trace::Trace trace = two_steps();
  const KernelParts parts = [](std::string_view kernel) {
    return kernel != "gemm" ? std::vector<KernelPart>{}
                            : std::vector<KernelPart>{{"net.py(3): forward", 0.75}, {"net.py(4): forward", 0.25}};
  };
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{}, parts);
  const ModuleTime& first = module_at(times, "Net_0 / Linear_0 / net.py(3): forward");
  EXPECT_EQ(first.total.gpu(), 2 * 11'250);
  EXPECT_EQ(first.calls, 2u);
  EXPECT_EQ(trace.name(first.longest), "gemm");
  EXPECT_EQ(module_at(times, "Net_0 / Linear_0 / net.py(4): forward").total.gpu(), 2 * 3'750);
  EXPECT_EQ(module_at(times, "Net_0 / Linear_0").total, cost(2 * 30, 2 * 50, 2 * 15, 2 * (20 + 25), 0));
  EXPECT_EQ(module_at(times, "Net_0 / Linear_0").self.gpu_forward, 0);
  expect_self_times_add_up(times);
}

TEST(ModuleTime, IdleTimeCountsForTheForwardCallThatRanMeanwhile) {
  const trace::Trace trace = two_steps();
  const std::int64_t start = trace.begin_ns;
  // From 5 to 45: 5 before Net_0, then 10 in it, 25 in Linear_0. From 200 to 210: in no forward call. They overlap.
  const std::vector<Interval> idle = {
      {start + 5'000, start + 30'000}, {start + 20'000, start + 45'000}, {start + 200'000, start + 210'000}};
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, idle);
  EXPECT_EQ(times.whole().total.idle, 50'000);
  EXPECT_EQ(times.whole().self.idle, 15'000);
  EXPECT_EQ(module_at(times, "Net_0").self.idle, 10'000);
  EXPECT_EQ(module_at(times, "Net_0 / Linear_0").self.idle, 25'000);
  EXPECT_EQ(module_at(times, "Net_0").total.idle, 35'000);
  expect_self_times_add_up(times);
}

TEST(ModuleTime, AMomentOfIdleTimeCountsOnceAlthoughTwoThreadsCompute) {
  SmallTrace made;
  for (const int thread : {10, 11})
    made.frame("nn.Module: Net_" + std::to_string(thread), 10, 80, thread)
        .call("cudaLaunchKernel", 20, 5, thread, thread)
        .kernel("gemm", 100 + thread, 1, thread);
  made.frame("nn.Module: Loader_0", 0, 300, 12);  // launches nothing
  const trace::Trace trace = made.read();
  const std::vector<Interval> idle = {{trace.begin_ns + 0, trace.begin_ns + 100'000}};
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, idle);
  EXPECT_EQ(module_at(times, "Net_10").total.idle, 80'000);
  EXPECT_EQ(module_at(times, "Net_11").total.idle, 0);
  EXPECT_EQ(module_at(times, "Loader_0").total.idle, 0);
  EXPECT_EQ(times.whole().self.idle, 20'000);
}

TEST(ModuleTime, WorkOfAnotherGpuIsLeftOut) {
  const trace::Trace trace = two_steps();
  EXPECT_EQ(module_times(trace, CodePlaces(trace), 1, std::vector<Interval>{}).whole().total.gpu(), 0);
  EXPECT_EQ(module_times(trace, CodePlaces(trace), trace::absent, std::vector<Interval>{}).whole().total.gpu(),
            2 * 119'000);
}

TEST(ModuleTime, WithoutModulesThereAreFunctionsThenRangesThenNothing) {
  const auto times_of = [](const trace::Trace& trace) {
    return module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  };
  const trace::Trace functions = SmallTrace()
                                     .frame("train.py(20): <module>", 0, 100)
                                     .frame("torch/nn/functional.py(9): relu", 5, 90)
                                     .frame("/home/me/net.py(4): f", 10, 60)
                                     .op("aten::mm", 20, 30)
                                     .call("cudaLaunchKernel", 30, 5, 1)
                                     .kernel("gemm", 40, 7, 1)
                                     .read();
  const ModuleTimes by_function = times_of(functions);
  EXPECT_EQ(by_function.grouping, ModuleGrouping::functions);
  EXPECT_THAT(paths_of(by_function), ElementsAre("train.py(20): <module>", "train.py(20): <module> / net.py(4): f"));
  EXPECT_EQ(by_function.modules[2].self, cost(60, 0, 7, 0, 0));
  EXPECT_EQ(by_function.modules[1].self, cost(40, 0, 0, 0, 0));
  expect_self_times_add_up(by_function);

  const ModuleTimes nothing = times_of(SmallTrace().op("aten::mm", 0, 10).call("cudaLaunchKernel", 1, 2, 1).read());
  EXPECT_EQ(nothing.grouping, ModuleGrouping::none);
  EXPECT_EQ(nothing.whole().total, cost(10, 0, 0, 0, 0));
  EXPECT_EQ(times_of(SmallTrace().read()).modules.size(), 1u);
}

// A thread that monitors the process sleeps through the whole trace, and the program waits for a queue.
TEST(ModuleTime, SleepingThreadsTakeNoCpuTime) {
  const trace::Trace trace = SmallTrace()
                                 .frame("nn.Module: A_0", 0, 100)
                                 .frame("queue.py(154): get", 10, 30)
                                 .op("aten::a", 50, 40)
                                 .frame("monitor.py(5): run", 0, 100, 11)
                                 .frame("<built-in function sleep>", 5, 90, 11)
                                 .read();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  EXPECT_EQ(module_at(times, "A_0").self.cpu(), 70'000);
  EXPECT_EQ(times.whole().self.cpu(), 10'000);  // the monitor's own, before and after it sleeps
  expect_self_times_add_up(times);
}

TEST(ModuleTime, SlicesThatOverlapWithoutNestingAddUp) {
  const trace::Trace trace = SmallTrace()
                                 .frame("nn.Module: A_0", 0, 100)
                                 .op("aten::a", 50, 100)  // ends after the frame
                                 .frame("nn.Module: B_0", 120, 60)
                                 .read();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  EXPECT_EQ(times.whole().total.cpu(), 180'000);
  EXPECT_EQ(module_at(times, "A_0").self.cpu(), 120'000);  // also the op that it began
  expect_self_times_add_up(times);
}

// The times of the modules were counted a second time, from the JSON of the file alone.
TEST(ModuleTime, OfARecordedTrainingRun) {
  const trace::Trace& trace = sample("mlp_train");
  const std::vector<IdleReport> gpus = idle_reports(trace);
  ASSERT_EQ(gpus.size(), 1u);
  const ModuleTimes times = module_times(trace, CodePlaces(trace), gpus[0].device, gpus[0].gaps);
  const auto expect_gpu = [&](const char* path, std::int64_t forward, std::int64_t backward) {
    EXPECT_EQ(module_at(times, path).self.gpu_forward, forward) << path;
    EXPECT_EQ(module_at(times, path).self.gpu_backward, backward) << path;
  };
  expect_gpu("Sequential_0 / Linear_0", 36800, 16736);
  expect_gpu("Sequential_0 / ReLU_0", 2304, 2176);
  expect_gpu("Sequential_0 / Linear_1", 36478, 26240);
  expect_gpu("CrossEntropyLoss_0", 6368, 6496);
  expect_gpu("", 175842, 0);
  EXPECT_EQ(times.whole().total.idle, gpus[0].idle());
  expect_self_times_add_up(times);
}

TEST(ModuleTable, RowsOfAModuleAddUpToIt) {
  const trace::Trace trace = two_steps();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  for (std::size_t module = 0; module < times.modules.size(); ++module)
    for (const bool all : {false, true}) {
      const std::vector<ModuleRow> rows = all ? own_rows(times, module) : rows_inside(times, module);
      ModuleCost sum;
      for (const ModuleRow& row : rows) sum += row.cost;
      EXPECT_EQ(sum, times.modules[module].total) << times.path_text(module);
    }
  EXPECT_EQ(rows_inside(times, 0).size(), 2u);  // Net_0, and what is outside
  EXPECT_EQ(own_rows(times, 0).size(), 4u);
  EXPECT_EQ(own_rows(times, 1).size(), 3u);
}

TEST(ModuleTable, RowsSortByEachColumn) {
  const trace::Trace trace = two_steps();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  std::vector<ModuleRow> rows = own_rows(times, 0);  // outside, Net_0, Linear_0, ReLU_0
  const auto sorted = [&](ModuleColumn by, bool descending, ModuleMeasure measure = ModuleMeasure::gpu) {
    sort_rows(rows, by, descending, measure);
    std::vector<std::string> names;
    for (const ModuleRow& row : rows) names.push_back(times.modules[row.module].name);
    return names;
  };
  EXPECT_THAT(sorted(ModuleColumn::gpu_forward, true), ElementsAre("", "Linear_0", "Net_0", "ReLU_0"));
  EXPECT_THAT(sorted(ModuleColumn::share, true), ElementsAre("Linear_0", "", "ReLU_0", "Net_0"));
  EXPECT_THAT(sorted(ModuleColumn::share, false, ModuleMeasure::cpu), ElementsAre("ReLU_0", "Net_0", "Linear_0", ""));
  EXPECT_THAT(sorted(ModuleColumn::module, false), ElementsAre("", "Net_0", "Linear_0", "ReLU_0"));
}

TEST(ModuleTable, AsCsv) {
  const trace::Trace trace = SmallTrace()
                                 .frame("nn.Module: Net_0", 0, 100)
                                 .frame(R"(nn.Module: a,\"b\"_0)", 10, 20)
                                 .call("cudaLaunchKernel", 15, 5, 1)
                                 .kernel("gemm", 40, 7, 1)
                                 .read();
  const ModuleTimes times = module_times(trace, CodePlaces(trace), 0, std::vector<Interval>{});
  EXPECT_EQ(module_table_csv(times),
            "module,depth,calls,cpu_forward_ns,cpu_backward_ns,gpu_forward_ns,gpu_backward_ns,gpu_idle_ns,"
            "own_cpu_forward_ns,own_cpu_backward_ns,own_gpu_forward_ns,own_gpu_backward_ns,own_gpu_idle_ns\r\n"
            ",0,0,100000,0,7000,0,0,0,0,0,0,0\r\n"
            "Net_0,1,1,100000,0,7000,0,0,80000,0,0,0,0\r\n"
            "\"Net_0 / a,\"\"b\"\"_0\",2,1,20000,0,7000,0,0,20000,0,7000,0,0\r\n");
}

}  // namespace
}  // namespace warpwalk::analysis
