// Settings of labs that bring about the words that no default setting shows.
#include <initializer_list>
#include <utility>

#include "tests/story/crafted.h"
#include "tests/story/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted set_to(std::string name, std::initializer_list<std::pair<const char*, double>> settings) {
  Crafted made{"labs: " + std::move(name), {}, {}, {}};
  made.trace =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  made.walk = default_walk(made.trace);
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_labs() {
  std::vector<Crafted> all;
  // FP16: infinity, then zero; E4M3: NaN; INT8.
  all.push_back(set_to("an infinite number", {{"number-formats.power", 20}, {"number-formats.scale", 32}}));
  all.push_back(set_to("zero", {{"number-formats.digits", 0}}));
  all.push_back(set_to("a subnormal number", {{"number-formats.power", -6}}));
  all.push_back(set_to("a negative FP8 number", {{"number-formats.format", 5}, {"number-formats.digits", -1}}));
  all.push_back(set_to("INT8", {{"number-formats.format", 8}, {"number-formats.scale", 15}}));
  all.push_back(set_to("lanes apart", {{"coalescing.stride", 32}, {"coalescing.order", 4}}));
  all.push_back(set_to("an open layout", {{"bank-conflicts.walk", 1}, {"bank-conflicts.width", 1}}));
  return all;
}

}  // namespace warpwalk::story::testing
