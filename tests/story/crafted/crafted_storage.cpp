// Settings of the lab "storage" that bring about the words that no default setting shows.
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_storage() {
  std::vector<Crafted> all;
  const auto add = [&](std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
    Crafted made{"labs: " + std::move(name), {}, {}, {}};
    made.trace =
        SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
    made.walk = default_walk(made.trace);
    for (const auto& [control, value] : settings) made.controls.set(std::string("lab/storage.") + control, value);
    all.push_back(std::move(made));
  };
  add("direct I/O, not aligned", {{"route", 1}, {"offset", 512}, {"link", 4}});
  add("GPUDirect Storage, small chunks, not aligned", {{"route", 2}, {"offset", 512}, {"chunk", 4}, {"depth", 32}});
  add("cuFile in compatibility mode", {{"route", 2}, {"gds", 1}, {"depth", 1}, {"call", 5}});
  add("read() with one thread", {{"route", 0}, {"threads", 1}});
  add("few drives", {{"route", 2}, {"drives", 1}});
  return all;
}

}  // namespace warpwalk::story::testing
