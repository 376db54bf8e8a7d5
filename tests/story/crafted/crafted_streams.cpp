// Traces and settings that bring about the words of the labs "streams" and "observe".
#include <initializer_list>
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

// Two kernels in streams 7 and 9; the second one starts at this time, in microseconds.
Crafted with_streams(std::string name, double second, std::initializer_list<std::pair<const char*, double>> settings) {
  Crafted made{"labs: " + std::move(name), {}, {}, {}};
  made.trace = SmallTrace()
                   .h200()
                   .call("cudaLaunchKernel", 0, 5, 1)
                   .kernel("first", 10, 40, 1)
                   .call("cudaLaunchKernel", 6, 5, 2)
                   .kernel("second", second, 40, 2, 9)
                   .read();
  made.walk = default_walk(made.trace);
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_streams() {
  std::vector<Crafted> all;
  all.push_back(with_streams("streams that take turns, a copy in the default stream", 60,
                             {{"streams.preset", 4},
                              {"streams.inside", 1},
                              {"streams.events", 1},
                              {"streams.host", 1},
                              {"streams.engines", 0},
                              {"observe.moment", 0}}));
  all.push_back(with_streams("streams that overlap, a synchronization, all SMs", 20,
                             {{"streams.preset", 6},
                              {"streams.p6_op0", 5},
                              {"streams.inside", 2},
                              {"streams.events", 2},
                              {"streams.kernel", 0},
                              {"observe.moment", 2}}));
  all.push_back(with_streams("streams that overlap, a wait for an event, pageable memory", 20,
                             {{"streams.preset", 5},
                              {"streams.p5_us0", 700},
                              {"streams.host", 1},
                              {"streams.inside", 3},
                              {"observe.moment", 3},
                              {"observe.burst", 1}}));
  all.push_back(
      with_streams("streams that overlap, a wait for an event, one copy engine", 20,
                   {{"streams.preset", 5}, {"streams.p5_us0", 700}, {"streams.engines", 0}, {"observe.moment", 4}}));
  all.push_back(
      with_streams("much memory, nothing runs", 20,
                   {{"streams.preset", 7}, {"streams.p7_op0", 4}, {"streams.p7_op1", 10}, {"observe.moment", 5}}));
  return all;
}

}  // namespace warpwalk::story::testing
