// Settings of the lab "host-device" that bring about the words that no default setting shows.
#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {

std::vector<Crafted> crafted_host_device() {
  std::vector<Crafted> all;
  const auto add = [&](std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
    Crafted made{"labs: " + std::move(name), {}, {}, {}};
    made.trace =
        SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
    made.walk = default_walk(made.trace);
    for (const auto& [control, value] : settings) made.controls.set(std::string("lab/") + control, value);
    all.push_back(std::move(made));
  };
  // Small buffers have bars wide enough for every call's name.
  add("4 KiB from pinned memory, prefetches", {{"host-device.size", 0},
                                               {"host-device.way", 1},
                                               {"host-device.advice", 1},
                                               {"host-device.step", 0},
                                               {"host-device.uses", 1},
                                               {"host-device.adds", 1},
                                               {"host-device.pinned", 0}});
  add("16 KiB with cudaMemcpyAsync, read-mostly",
      {{"host-device.size", 1}, {"host-device.way", 2}, {"host-device.advice", 2}});
  add("managed memory on demand", {{"host-device.size", 0}, {"host-device.way", 3}, {"host-device.uses", 64}});
  add("managed memory with prefetches", {{"host-device.size", 2}, {"host-device.way", 4}});
  add("64 MiB with cudaMemcpyAsync", {{"host-device.way", 2}});
  add("64 MiB from pinned memory", {{"host-device.way", 1}});
  add("4 KiB from pageable memory", {{"host-device.size", 0}});
  return all;
}

}  // namespace warpwalk::story::testing
