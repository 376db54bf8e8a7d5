// Settings of the lab "collectives" that bring about the words that no default setting shows.
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_collectives() {
  std::vector<Crafted> all;
  const auto add = [&](std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
    Crafted made{"labs: " + std::move(name), {}, {}, {}};
    made.trace =
        SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
    made.walk = default_walk(made.trace);
    for (const auto& [control, value] : settings) made.controls.set(std::string("lab/collectives.") + control, value);
    all.push_back(std::move(made));
  };
  add("two GPUs, one tree, before the first step, nobody late", {{"gpus", 2},
                                                                 {"trees", 0},
                                                                 {"collective", 1},
                                                                 {"ring_step", 0},
                                                                 {"tree_step", 0},
                                                                 {"other_step", 0},
                                                                 {"latency", 1000},
                                                                 {"bandwidth", 200},
                                                                 {"late", 0},
                                                                 {"order", 1}});
  add("three GPUs in the middle of an all-reduce",
      {{"gpus", 3}, {"ring_step", 2}, {"tree_step", 1}, {"collective", 2}});
  add("eight GPUs in the middle of a broadcast", {{"gpus", 8}, {"collective", 3}, {"other_step", 3}});
  return all;
}

}  // namespace warpwalk::story::testing
