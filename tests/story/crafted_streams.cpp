// Traces and settings that bring about the words of the lab "streams".
#include <initializer_list>
#include <utility>

#include "tests/story/crafted.h"
#include "tests/story/small_trace.h"

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
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/streams.") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_streams() {
  std::vector<Crafted> all;
  all.push_back(with_streams("streams that take turns, a copy in the default stream", 60,
                             {{"preset", 4}, {"inside", 1}, {"events", 1}, {"host", 1}, {"engines", 1}}));
  all.push_back(with_streams("streams that overlap, a synchronization, all SMs", 20,
                             {{"preset", 6}, {"p6_op0", 5}, {"inside", 2}, {"events", 2}, {"kernel", 0}}));
  all.push_back(with_streams("streams that overlap, a wait for an event, pageable memory", 20,
                             {{"preset", 5}, {"p5_us0", 700}, {"host", 1}, {"engines", 1}, {"inside", 3}}));
  all.push_back(with_streams("streams that overlap, a wait for an event", 20, {{"preset", 5}, {"p5_us0", 700}}));
  return all;
}

}  // namespace warpwalk::story::testing
