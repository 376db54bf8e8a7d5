// Settings of the lab of autograd that bring about its sentences and words.
#include <initializer_list>
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted with_expression(std::string name, const char* expression,
                        std::initializer_list<std::pair<const char*, double>> settings) {
  Crafted made{"labs: autograd, " + std::move(name), {}, {}, {}};
  made.trace =
      SmallTrace().h200().op("aten::relu", 0, 40).call("cudaLaunchKernel", 10, 5, 1).kernel("k", 30, 40, 1).read();
  made.walk = default_walk(made.trace);
  if (expression != nullptr) made.controls.set("lab/autograd.expression", Setting(std::string(expression)));
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/autograd.") + control, value);
  return made;
}

}  // namespace

std::vector<Crafted> crafted_autograd() {
  std::vector<Crafted> all;
  all.push_back(with_expression("at the start, under no_grad, a write to nothing", nullptr,
                                {{"step", 0}, {"mode", 1}, {"write", 0}}));
  all.push_back(with_expression("at a leaf, detached, a leaf written to", nullptr,
                                {{"step", 4}, {"node", 2}, {"mode", 2}, {"write", 1}}));
  all.push_back(with_expression("a node that saves nothing, a harmless write under no_grad", "(a + b).sum()",
                                {{"write", 3}, {"how", 1}, {"frozen", 1}}));
  all.push_back(with_expression("a broadcast", "relu(a) + b[0]", {{"node", 2}}));
  all.push_back(with_expression("a kink", "relu(a - a)", {{"node", 1}}));
  all.push_back(with_expression("one input, frozen", "sum(a * 2)", {{"frozen", 1}, {"rounds", 2}}));
  Crafted walk = with_expression("a walk with gradients", nullptr, {});
  walk.trace.records.expression = "a * b";
  walk.trace.metadata.emplace_back(walk.trace.strings.intern("warpwalk_run"),
                                   walk.trace.strings.intern(R"({"on": "sim", "gradients": true})"));
  all.push_back(std::move(walk));
  all.push_back(with_expression("text", "relu(a", {}));
  all.push_back(with_expression("names", "a + b + c + d + e", {}));
  all.push_back(with_expression("elements", "a[:, None, :] * b[None, :, :]", {}));
  all.push_back(with_expression("nodes", "a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a+a", {}));
  return all;
}

}  // namespace warpwalk::story::testing
