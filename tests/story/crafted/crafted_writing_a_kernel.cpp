// Settings of the lab "writing-a-kernel" that bring about its words.
#include <string>
#include <utility>
#include <vector>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted writing_a_kernel_with(std::string name, const std::vector<std::pair<const char*, double>>& settings,
                              const std::vector<std::string>& beats) {
  const std::string lab = "lab/writing-a-kernel.";
  Crafted made{"writing a kernel: " + std::move(name), {}, {}, {}};
  made.trace =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  made.walk = default_walk(made.trace);
  for (const std::string& beat : beats) made.sections.push_back(lab + beat);
  for (const auto& [control, value] : settings) made.controls.set(lab + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_writing_a_kernel() {
  std::vector<Crafted> all;
  all.push_back(writing_a_kernel_with("no alias, a large strided input", {{"mistake", 1}, {"n", 1024}, {"layout", 1}},
                                      {"untold", "output", "types", "kernel", "result", "derivative", "tasks"}));
  all.push_back(writing_a_kernel_with("no case for bf16", {{"mistake", 2}, {"dtype", 1}},
                                      {"schema", "output", "no_case", "kernel", "not_run", "derivative", "tasks"}));
  all.push_back(writing_a_kernel_with("no bounds check", {{"mistake", 3}},
                                      {"schema", "output", "types", "kernel", "stray", "derivative", "tasks"}));
  all.push_back(writing_a_kernel_with("no derivative", {{"mistake", 4}},
                                      {"schema", "output", "types", "kernel", "result", "no_gradient", "tasks"}));
  return all;
}

}  // namespace warpwalk::story::testing
