// Walks with a sweep, which no walk has by itself.
#include <string>
#include <string_view>
#include <utility>

#include "core/trace/read/read_trace.h"
#include "tests/story/crafted/crafted.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_sweep() {
  std::vector<Crafted> all;
  const auto add = [&](std::string name, std::string_view sensitivity, std::string_view cheaper, Sections sections) {
    std::string json =
        R"({"warpwalk_sweep": {"version": 1, "base": "NVIDIA H200", "units": {"l2_bytes": "B"}, "launches": [
{"name": "vecadd", "points": {"l2_bytes": [
  {"value": 1000, "cycles": 5000, "gpu": "l2_bytes 1000", "front": true},
  {"value": 2000, "cycles": 4000, "gpu": "NVIDIA H200", "front": true},
  {"value": 2000, "cycles": 4500, "gpu": "latency_l2 400", "front": false},
  {"value": 16000, "cycles": 3900, "gpu": "l2_bytes 16000", "front": true}]},
 "sensitivity": [@S], "cheaper": {"l2_bytes": "@C"}}]},
"traceEvents": [{"ph": "X", "cat": "kernel", "name": "vecadd", "pid": 0, "tid": 7, "ts": 10, "dur": 5,
  "args": {"device": 0, "stream": 7, "correlation": 1, "grid": [4, 1, 1], "block": [256, 1, 1]}}]})";
    json.replace(json.find("@S"), 2, sensitivity);
    json.replace(json.find("@C"), 2, cheaper);
    all.push_back(crafted_from(std::move(name), trace::read_trace_text(json).trace, std::move(sections)));
  };
  add("a sweep", R"({"parameter": "l2_bytes", "elasticity": -0.09, "base": 2000, "from": 1000, "to": 16000,
    "cycles_from": 5000, "cycles_to": 3900, "gpus": 3})",
      "smaller", {"lab/sweep.pareto", "lab/sweep.sensitivity"});
  add("a sweep of combinations", "", "larger", {"lab/sweep.pareto.larger", "lab/sweep.sensitivity.none"});
  return all;
}

}  // namespace warpwalk::story::testing
