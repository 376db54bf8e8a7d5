// Settings that bring about the words of lab/cuda-triton and lab/torch-compile.
#include <initializer_list>
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted triton_set_to(std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
  Crafted made{"labs: " + std::move(name), SmallTrace().h200().op("aten::relu", 0, 40).read(), {}, {}};
  made.walk = default_walk(made.trace);
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/cuda-triton.") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_cuda_triton() {
  std::vector<Crafted> all;
  all.push_back(
      triton_set_to("more threads than elements", {{"kernel", 1}, {"block_size", 128}, {"warps", 8}, {"op", 1}}));
  all.push_back(triton_set_to("an odd size that was not measured", {{"n", 1003}, {"block_size", 8192}, {"warps", 1}}));
  Crafted product{"labs: a line whose matrix product stays a library's kernel",
                  SmallTrace().h200().op("aten::relu", 0, 40).read(),
                  {},
                  {}};
  product.walk = default_walk(product.trace);
  product.controls.set("lab/torch-compile.line", 3);
  all.push_back(std::move(product));
  return all;
}

}  // namespace warpwalk::story::testing
