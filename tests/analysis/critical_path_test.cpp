// Critical paths against all paths of small programs, whose schedule is computed here.
#include "core/analysis/time/critical_path.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/analysis/time/path_rows.h"
#include "tests/traces/overview_trace.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::analysis {
namespace {

// Something that takes time, and what must end before it begins. The end of a program is one that takes none.
struct Node {
  std::string name;
  long duration = 0;
  std::vector<std::size_t> after;
  long end = 0;
};

// A program of one thread and a few streams, with the trace that it would leave. Launches take effect at their start.
class Program {
 public:
  explicit Program(unsigned seed) : random_(seed) {
    std::vector<std::size_t> all;
    for (int i = 0; i < 11; ++i) {
      const int what = pick(0, 9);
      if (what <= 2)
        op();
      else if (what <= 6)
        launch(pick(0, 2));
      else if (what == 7)
        wait_for(-1);
      else if (what == 8)
        wait_for(pick(0, 2));
      else
        order(pick(0, 2), pick(0, 2));
    }
    wait_for(-1);
    all = {cpu_};
    end_ = add("", 0, all);
  }

  trace::Trace read() const { return made_.read(); }
  long length() const { return nodes_[end_].end; }

  // Every path from the start to the end whose work takes the whole time, as the times of its parts by name.
  std::set<std::map<std::string, long>> longest() const {
    std::set<std::map<std::string, long>> found;
    std::map<std::string, long> path;
    go_back(end_, 0, path, found);
    return found;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  int pick(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }
  long duration() { return pick(3, 4000); }

  std::size_t add(std::string name, long duration, std::vector<std::size_t> after) {
    std::erase(after, none);
    long start = 0;
    for (const std::size_t one : after) start = std::max(start, nodes_[one].end);
    nodes_.push_back({std::move(name), duration, std::move(after), start + duration});
    return nodes_.size() - 1;
  }
  long now() const { return cpu_ == none ? 0 : nodes_[cpu_].end; }

  void op() {
    const long from = now();
    const std::string name = fmt::format("op{}", nodes_.size());
    cpu_ = add(name, duration(), {cpu_});
    made_.op(name, from, now());
  }

  void launch(int stream) {
    const long from = now();
    const int correlation = ++correlation_;
    const std::string call = fmt::format("launch{}", correlation), kernel = fmt::format("kernel{}", correlation);
    const std::size_t work = add(kernel, duration(), {cpu_, last_[stream], ordered_[stream]});
    ordered_[stream] = none;
    cpu_ = add(call, duration(), {cpu_});
    made_.call(call, from, now(), correlation)
        .kernel(kernel, nodes_[work].end - nodes_[work].duration, nodes_[work].end, correlation, stream + 7);
    last_[stream] = work;
  }

  // The CPU waits for a stream, or for all; the call takes no time of its own.
  void wait_for(int stream) {
    const long from = now();
    const int correlation = ++correlation_;
    std::vector<std::size_t> after = {cpu_};
    for (int s = 0; s < 3; ++s)
      if (stream < 0 || s == stream) after.push_back(last_[s]);
    cpu_ = add("", 0, after);
    if (now() == from) return;
    made_.call(stream < 0 ? "cudaDeviceSynchronize" : "cudaStreamSynchronize", from, now(), correlation);
    if (stream >= 0) made_.stream_sync(from, now(), correlation, stream + 7);
  }

  // A stream waits for what another one has been given so far.
  void order(int stream, int other) {
    if (stream == other || last_[other] == none || ordered_[stream] != none) return;
    const int record = ++correlation_, wait = ++correlation_;
    for (const auto& [name, correlation] : {std::pair{"cudaEventRecord", record}, {"cudaStreamWaitEvent", wait}}) {
      const long from = now();
      const std::string call = fmt::format("{}{}", name, correlation);
      cpu_ = add(call, 2, {cpu_});
      made_.call(call, from, now(), correlation);
    }
    made_.stream_wait(now() - 1, now(), wait, stream + 7, other + 7, record);
    ordered_[stream] = last_[other];
  }

  void go_back(std::size_t at, long length, std::map<std::string, long>& path,
               std::set<std::map<std::string, long>>& found) const {
    const Node& node = nodes_[at];
    if (!node.name.empty()) path[node.name] = node.duration;
    length += node.duration;
    if (node.after.empty()) {
      if (length == nodes_[end_].end) found.insert(path);
    }
    for (const std::size_t before : node.after) go_back(before, length, path, found);
    if (!node.name.empty()) path.erase(node.name);
  }

  std::mt19937 random_;
  OverviewTrace made_;
  std::vector<Node> nodes_;
  std::size_t cpu_ = none, end_ = none;
  std::size_t last_[3] = {none, none, none}, ordered_[3] = {none, none, none};
  int correlation_ = 0;
};

void expect_whole(const Trace& trace, const CriticalPath& path, const std::string& where) {
  ASSERT_FALSE(path.segments.empty()) << where;
  EXPECT_EQ(path.segments.front().from, path.from) << where;
  EXPECT_EQ(path.segments.back().to, path.to) << where;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < path.segments.size(); ++i) {
    EXPECT_GT(path.segments[i].length(), 0) << where;
    if (i > 0) {
      EXPECT_EQ(path.segments[i].from, path.segments[i - 1].to) << where;
    }
    sum += path.segments[i].length();
  }
  EXPECT_EQ(sum, path.span()) << where;
  std::int64_t by_kind = 0;
  for (const std::int64_t time : path.time) by_kind += time;
  EXPECT_EQ(by_kind, path.span()) << where;
  for (const std::size_t limit : {1u, 3u, 10u, 1000u}) {
    const std::vector<PathRow> rows = path_rows(trace, path, limit);
    ASSERT_LE(rows.size(), limit) << where;
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(rows[i].from, i == 0 ? path.from : rows[i - 1].to) << where;
      std::int64_t parts = 0;
      for (const std::int64_t time : rows[i].time) parts += time;
      EXPECT_EQ(parts, rows[i].length()) << where;
      EXPECT_LE(rows[i].name_time, rows[i].time[static_cast<std::size_t>(rows[i].kind)]) << where;
      pieces += rows[i].pieces;
    }
    EXPECT_EQ(rows.back().to, path.to) << where;
    EXPECT_EQ(pieces, path.segments.size()) << where;
  }
  std::int64_t names = 0;
  for (const PathRow& row : path_names(trace, path, path.segments.size())) names += row.name_time;
  EXPECT_EQ(names, path.span()) << where;
}

TEST(CriticalPath, IsTheLongestOfAllPathsOfSmallPrograms) {
  std::size_t compared = 0, with_kernels = 0;
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    const Program program(seed);
    const std::set<std::map<std::string, long>> longest = program.longest();
    ASSERT_FALSE(longest.empty()) << seed;
    if (longest.size() > 1) continue;  // several are equally long
    const trace::Trace trace = program.read();
    const CriticalPath path = PathFinder(trace).whole();
    ASSERT_EQ(path.span(), program.length()) << seed;
    expect_whole(trace, path, fmt::format("seed {}", seed));
    std::map<std::string, long> found;
    for (const PathSegment& segment : path.segments) {
      ASSERT_NE(segment.slice, no_slice) << seed;
      found[std::string(trace.name(segment.slice))] += segment.length();
    }
    EXPECT_EQ(found, *longest.begin()) << seed;
    ++compared;
    with_kernels += path.of(PathKind::kernel) > 0;
  }
  EXPECT_GT(compared, 800u);
  EXPECT_GT(with_kernels, 300u);
}

TEST(CriticalPath, AddsUpOnEveryRecordedWalk) {
  for (const std::string_view name :
       {"relu_matmul", "two_streams", "mlp_train", "pytorch_relu_matmul", "h200_cuda_graph", "h200_two_streams",
        "h200_torch_compile", "h200_pytorch_training_step", "h200_pytorch_relu_matmul", "h200_matmul"}) {
    const Trace& trace = sample(name);
    const CriticalPath path = PathFinder(trace).whole();
    EXPECT_EQ(path.from, trace.begin_ns) << name;
    EXPECT_EQ(path.to, trace.end_ns) << name;
    expect_whole(trace, path, std::string(name));
  }
}

// The lengths of a path, each with the name of its kind.
std::string shown(const Trace& trace, const CriticalPath& path) {
  std::string text;
  for (const PathSegment& segment : path.segments)
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", name_of(segment.kind), segment.length(),
                        segment.slice == no_slice ? "" : fmt::format(" {}", trace.name(segment.slice)));
  return text;
}

TEST(CriticalPath, NamesLatencyQueueAndTheReturnOfAWait) {
  const trace::Trace trace = OverviewTrace()
                                 .frame("train.py(3): step", 0, 1000)
                                 .op("aten::mm", 100, 400)
                                 .call("cudaLaunchKernel", 200, 300, 1)
                                 .kernel("a", 250, 500, 1)
                                 .call("cudaLaunchKernel", 310, 330, 2)
                                 .kernel("b", 510, 800, 2)
                                 .call("cudaDeviceSynchronize", 450, 900, 3)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "python 100 train.py(3): step, op 100 aten::mm, launch 50 a, kernel 250 a, queue 10 b, kernel 290 b, "
            "wait_end 100 cudaDeviceSynchronize, python 100 train.py(3): step");
}

TEST(CriticalPath, TheProfilersTimeIsNotTheProgramsTime) {
  const trace::Trace trace = OverviewTrace()
                                 .op("aten::mm", 0, 1000)
                                 .overhead("Buffer Flush", 200, 300)
                                 .overhead("Lazy Function Loading", 500, 600)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "op 200 aten::mm, profiler 100, op 200 aten::mm, loading 100 aten::mm, op 400 aten::mm");
}

TEST(CriticalPath, AThreadThatBeginsAfterAPauseWasWokenByTheActiveOne) {
  const trace::Trace trace = OverviewTrace()
                                 .op("forward", 0, 400, 1)
                                 .op("wait for backward", 500, 1000, 1)
                                 .op("backward", 600, 900, 2)
                                 .call("cudaLaunchKernel", 700, 720, 1, 2)
                                 .kernel("k", 720, 1200, 1)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "op 400 forward, unrecorded 100, op 100 wait for backward, op 100 backward, launch 20 k, kernel 480 k");
}

TEST(CriticalPath, TheAutogradThreadWorksWhileTheMainThreadIsInRunBackward) {
  const trace::Trace trace =
      OverviewTrace()
          .frame("train.py(3): step", 0, 1000, 1)
          .frame("<built-in method run_backward of torch._C._EngineBase object at 0x7f2f>", 200, 900, 1)
          .op("autograd::engine::evaluate_function: MmBackward0", 300, 800, 2)
          .call("cudaLaunchKernel", 400, 420, 1, 2)
          .kernel("k", 430, 440, 1)
          .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "python 200 train.py(3): step, "
            "python 100 <built-in method run_backward of torch._C._EngineBase object at 0x7f2f>, "
            "op 100 autograd::engine::evaluate_function: MmBackward0, call 20 cudaLaunchKernel, "
            "op 380 autograd::engine::evaluate_function: MmBackward0, "
            "python 100 <built-in method run_backward of torch._C._EngineBase object at 0x7f2f>, "
            "python 100 train.py(3): step");
}

TEST(CriticalPath, AnIdleThreadTakesNoPart) {  // it reads from a pipe until after the program's end
  const trace::Trace trace = OverviewTrace()
                                 .op("aten::mm", 0, 500, 1)
                                 .call("cudaLaunchKernel", 100, 120, 1, 1)
                                 .kernel("k", 130, 200, 1)
                                 .frame("torch/_inductor/compile_worker/subproc_pool.py(76): _recv_msg", 0, 900, 2)
                                 .frame("monitor.py(5): loop", 0, 900, 3)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "op 100 aten::mm, call 20 cudaLaunchKernel, op 380 aten::mm, unrecorded 400");
}

TEST(CriticalPath, ALockIsWaitedForUntilTheOtherThreadsWorkEnds) {
  const trace::Trace trace = OverviewTrace()
                                 .op("a", 0, 100, 1)
                                 .call("cudaLaunchKernel", 10, 20, 1, 1)
                                 .kernel("k", 20, 30, 1)
                                 .frame("<built-in method acquire of _thread.lock object at 0x7f>", 100, 700, 1)
                                 .op("b", 700, 800, 1)
                                 .op("worker", 200, 600, 2)
                                 .call("cudaLaunchKernel", 300, 310, 2, 2)
                                 .kernel("k", 310, 320, 2)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "op 10 a, call 10 cudaLaunchKernel, op 80 a, "
            "blocked 100 <built-in method acquire of _thread.lock object at 0x7f>, "
            "op 100 worker, call 10 cudaLaunchKernel, op 290 worker, "
            "blocked 100 <built-in method acquire of _thread.lock object at 0x7f>, op 100 b");
}

TEST(CriticalPath, SleepIsNobodysWork) {
  const trace::Trace trace = OverviewTrace()
                                 .frame("data.py(8): load", 0, 600, 1)
                                 .frame("<built-in function sleep>", 100, 500, 1)
                                 .call("cudaLaunchKernel", 510, 520, 1, 1)
                                 .kernel("k", 530, 600, 1)
                                 .op("other", 200, 400, 2)
                                 .call("cudaLaunchKernel", 300, 310, 2, 2)
                                 .kernel("k", 310, 320, 2)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "python 100 data.py(8): load, blocked 400 <built-in function sleep>, python 10 data.py(8): load, "
            "call 10 cudaLaunchKernel, python 80 data.py(8): load");
}

TEST(CriticalPath, CommunicationIsAKindOfItsOwn) {
  const trace::Trace trace =
      OverviewTrace()
          .call("cudaLaunchKernel", 0, 20, 1)
          .kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 50, 900, 1)
          .read();
  const CriticalPath path = PathFinder(trace).whole();
  EXPECT_EQ(path.of(PathKind::communication), 850);
  EXPECT_EQ(path.of(PathKind::kernel), 0);
}

TEST(CriticalPath, ItsLongestStretchesNeverJoinOps) {
  OverviewTrace made;
  for (int i = 0; i < 40; ++i)  // nothing but the CPU, from op to op
    made.op(fmt::format("op{}", i), 100 * i, 100 * i + 90 + i % 3);
  const trace::Trace trace = made.read();
  const CriticalPath path = PathFinder(trace).whole();
  const std::vector<PathRow> rows = longest_path_rows(trace, path, 24);
  ASSERT_EQ(rows.size(), 24u);
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_GE(rows[i].length(), 91);  // those of 92 ns and the first of 91
    EXPECT_LE(rows[i].length(), 92);
    if (i > 0) {
      EXPECT_GE(rows[i].from, rows[i - 1].to);
    }
    names.insert(trace.name(rows[i].slice));
  }
  EXPECT_EQ(names.size(), 24u);
}

TEST(CriticalPath, ACopyToTheCpuIsWaitedFor) {
  const trace::Trace trace = OverviewTrace()
                                 .op("aten::to", 0, 1000)
                                 .call("cudaMemcpyAsync", 100, 800, 1)
                                 .copy("Memcpy DtoH (Device -> Pageable)", 300, 700, 1)
                                 .read();
  EXPECT_EQ(shown(trace, PathFinder(trace).whole()),
            "op 100 aten::to, launch 200 Memcpy DtoH (Device -> Pageable), copy 400 Memcpy DtoH (Device -> Pageable), "
            "wait_end 100 cudaMemcpyAsync, op 200 aten::to");
  const trace::Trace other = OverviewTrace()
                                 .op("aten::to", 0, 1000)
                                 .call("cudaMemcpyAsync", 100, 800, 1)
                                 .copy("Memcpy HtoD (Pinned -> Device)", 300, 700, 1)
                                 .read();
  EXPECT_EQ(shown(other, PathFinder(other).whole()), "op 100 aten::to, call 700 cudaMemcpyAsync, op 200 aten::to");
}

TEST(CriticalPath, AKernelBeforeItsLaunchEndsNothing) {  // clocks of CPU and GPU may differ by some microseconds
  const trace::Trace trace =
      OverviewTrace().op("aten::mm", 0, 500).call("cudaLaunchKernel", 300, 320, 1).kernel("k", 200, 900, 1).read();
  expect_whole(trace, PathFinder(trace).whole(), "skewed");
}

TEST(CriticalPath, AStepsPathEndsAtItsBounds) {
  const trace::Trace trace = three_steps().read();
  const PathFinder paths(trace);
  const CriticalPath path = paths.until(trace.slices.track[slice_named(trace, "ProfilerStep#1")],
                                        1'200'000 + trace.begin_ns, 2'300'000 + trace.begin_ns);
  expect_whole(trace, path, "step");
  EXPECT_EQ(path.span(), 1'100'000);
}

}  // namespace
}  // namespace warpwalk::analysis
