// Receipts whose largest part is not the kernel's own: a graph's launch, or the profiler's work.
#include <utility>

#include <gtest/gtest.h>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted with_walk(std::string name, trace::Trace trace, Sections sections, std::string_view what = {}) {
  Crafted made{std::move(name), std::move(trace), {}, std::move(sections)};
  if (what.empty()) {
    made.walk = default_walk(made.trace);
  } else {
    auto walk = follow(made.trace, what);
    EXPECT_TRUE(walk) << walk.error();
    made.walk = *std::move(walk);
  }
  return made;
}

// A graph of `kernels` kernels and a fill, launched three times: for 300, 8 and 5 us.
trace::Trace graph(int kernels) {
  SmallTrace small;
  small.h200();
  const double starts[] = {0, 400, 420}, lengths[] = {300, 8, 5};
  for (int launch = 0; launch < 3; ++launch) {
    const double begin = starts[launch] + lengths[launch] + 10;
    small.call("cudaGraphLaunch", starts[launch], lengths[launch], launch + 1);
    if (kernels > 1) small.fill(begin - 2, 1, launch + 1);
    for (int k = 0; k < kernels; ++k) small.kernel("add_one", begin + 2 * k, 1.5, launch + 1);
  }
  return small.read();
}

void add_graphs(std::vector<Crafted>& all) {
  all.push_back(with_walk(
      "a CUDA graph of four nodes", graph(3),
      {"boardroom.line.launch", "boardroom.company", "boardroom.launch.graph", "boardroom.return.before",
       "boardroom.meanwhile.idle", "translator.order.graph", "translator.code.none", "map.fold", "map.launch.graph",
       "map.queue.behind", "map.kernel", "map.total.graph", "map.simulated.unasked", "map.closing"},
      "kernel:0"));
  all.push_back(with_walk("a CUDA graph of one node", graph(1),
                          {"boardroom.line.launch", "boardroom.company", "boardroom.launch.graph",
                           "boardroom.return.before", "boardroom.meanwhile.idle", "map.fold", "map.launch", "map.queue",
                           "map.kernel", "map.total.first", "map.simulated.unasked", "map.closing"},
                          "kernel:0"));
  Crafted other = with_walk("one of two CUDA graphs", graph(3),
                            {"boardroom.line.launch", "boardroom.company", "boardroom.launch.graph",
                             "boardroom.return.before", "boardroom.meanwhile.idle"},
                            "kernel:0");
  for (std::size_t k = 0; k < other.trace.kernels.size(); ++k) other.trace.kernels[k].graph_id = k < 6 ? 2 : 3;
  all.push_back(std::move(other));
}

// An op whose launch comes after `overhead` us of the profiler's work, and whose kernel takes `length` us.
SmallTrace profiled(double overhead, double length) {
  SmallTrace small;
  const double launch = overhead + 50;
  small.op("aten::mm", 0, overhead + 100).overhead("Activity Buffer Request", 10, overhead);
  small.call("cudaLaunchKernel", launch, 5, 1).kernel("k", launch + 10, length, 1);
  return small;
}

void add_profiled(std::vector<Crafted>& all) {
  const auto add = [&](std::string name, const SmallTrace& small, const std::string& total) {
    all.push_back(with_walk(std::move(name), small.read(),
                            {"map.fold", "map.cpu.overhead", "map.launch", "map.queue", "map.kernel",
                             "map.total." + total, "map.simulated.unasked", "map.closing"}));
  };
  const auto second = [](SmallTrace small, double at) {
    return small.call("cudaLaunchKernel", at, 5, 2).kernel("second", at + 40, 3, 2);
  };
  add("mostly the profiler, and the way is longer without it", profiled(1400, 40), "overhead");
  add("mostly the profiler, and the kernel is longer without it", profiled(1400, 100), "overhead.kernel");
  add("mostly the profiler, with two kernels", second(profiled(1400, 40), 1470), "pieces.overhead");
  add("mostly the profiler, with two kernels and a long one", second(profiled(1400, 100), 1470),
      "pieces.overhead.kernel");
}

}  // namespace

std::vector<Crafted> crafted_receipts() {
  std::vector<Crafted> all;
  all.push_back(with_walk(
      "the GPU works while the call returns",
      SmallTrace().h200().op("aten::relu", 0, 100).call("cudaLaunchKernel", 10, 50, 1).kernel("k", 20, 100, 1).read(),
      {"boardroom.line", "boardroom.company", "boardroom.call.unframed", "boardroom.launch", "boardroom.return",
       "boardroom.meanwhile.idle"}));
  all.push_back(with_walk("a short kernel behind a long one",
                          SmallTrace()
                              .h200()
                              .call("cudaLaunchKernel", 0, 5, 1)
                              .kernel("long", 10, 1000, 1)
                              .op("aten::relu", 20, 30)
                              .call("cudaLaunchKernel", 30, 5, 2)
                              .kernel("short", 1012, 40, 2)
                              .read(),
                          {"map.fold", "map.cpu", "map.launch", "map.queue.behind", "map.kernel", "map.total.queued",
                           "map.simulated.unasked", "map.closing"},
                          "kernel:1"));
  add_graphs(all);
  add_profiled(all);
  return all;
}

}  // namespace warpwalk::story::testing
