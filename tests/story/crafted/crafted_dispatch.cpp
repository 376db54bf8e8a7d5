// Settings of the lab "dispatch" that bring about its words.
#include <string>
#include <utility>
#include <vector>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

struct Set {
  int op, mode, bit;
  std::vector<std::pair<const char*, double>> others = {};
  const char* binding = "binding";
  const char* call = "call";
  const char* types = "types";
};

Crafted dispatch_with(const Set& set) {
  const std::string lab = "lab/dispatch.";
  Crafted made{"dispatch: op " + std::to_string(set.op) + ", mode " + std::to_string(set.mode) + ", bit " +
                   std::to_string(set.bit),
               {},
               {},
               {}};
  made.trace =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  made.walk = default_walk(made.trace);
  for (const std::string beat : {set.binding, "keys", "row", set.call, set.types, "tree", "tasks"})
    made.sections.push_back(lab + beat);
  made.controls.set(lab + "op", set.op);
  made.controls.set(lab + "mode", set.mode);
  made.controls.set(lab + "bit", set.bit);
  for (const auto& [control, value] : set.others) made.controls.set(lab + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_dispatch() {
  std::vector<Crafted> all;
  for (const Set& set : std::vector<Set>{{0, 1, 63, {{"arguments", 2}}, "refused"},
                                         {1, 2, 0},
                                         {2, 3, 16},
                                         {3, 2, 23, {{"device", 1}}},
                                         {4, 4, 37, {{"layout", 1}}, "binding", "fails", "no_instance"},
                                         {5, 3, 48},
                                         {6, 5, 35},
                                         {7, 6, 26, {}, "binding", "call", "no_instance"},
                                         {8, 1, 50},
                                         {0, 0, 27},
                                         {0, 0, 17}})
    all.push_back(dispatch_with(set));
  return all;
}

}  // namespace warpwalk::story::testing
