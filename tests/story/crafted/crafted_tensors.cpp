// Settings of the lab of tensors that bring about what no default setting says.
#include <initializer_list>
#include <utility>

#include "tests/story/crafted/crafted.h"
#include "tests/traces/small_trace.h"

namespace warpwalk::story::testing {
namespace {

Crafted tensors_set_to(std::string name, std::initializer_list<std::pair<const char*, double>> settings,
                       std::vector<std::string> sections) {
  Crafted made{"tensors: " + std::move(name), SmallTrace().op("aten::relu", 0, 40).read(), {}, {}};
  made.walk = default_walk(made.trace);
  for (const auto& [control, value] : settings) made.controls.set(std::string("lab/tensors.") + control, value);
  for (std::string& section : sections) made.sections.push_back("lab/tensors." + std::move(section));
  return made;
}

}  // namespace

std::vector<Crafted> crafted_tensors() {
  std::vector<Crafted> all;
  all.push_back(tensors_set_to("no step, a packed read, COO on hip",
                               {{"step1", 0}, {"step2", 0}, {"stride", 1}, {"layout", 1}, {"device", 3}},
                               {"storage", "view", "order.contiguous", "chain.none", "read.packed", "axes", "tasks"}));
  all.push_back(tensors_set_to(
      "an error, strided on xla", {{"tensor", 2}, {"step1", 5}, {"layout", 0}, {"device", 2}, {"dtype", 5}},
      {"storage", "view.refused", "order.contiguous", "chain.refused", "read.unmeasured", "axes", "tasks"}));
  all.push_back(tensors_set_to("the same tensor, then a view of an expanded one",
                               {{"step1", 7}, {"step2", 10}, {"step3", 9}, {"device", 0}},
                               {"storage", "view", "order", "chain.view", "read", "axes", "tasks"}));
  all.push_back(tensors_set_to("the same tensor", {{"step1", 1}, {"step2", 10}},
                               {"storage", "view", "order.contiguous", "chain.same", "read", "axes", "tasks"}));
  all.push_back(tensors_set_to("two copies",
                               {{"step1", 5}, {"step2", 10}, {"step3", 5}, {"nonzeros", 24}, {"layout", 0}},
                               {"storage", "view", "order", "chain.view", "read", "axes", "tasks"}));
  all.push_back(tensors_set_to("a copy of a part", {{"step1", 4}, {"step2", 10}, {"step3", 0}, {"dtype", 0}},
                               {"storage", "view", "order", "chain.copy", "read.unmeasured", "axes", "tasks"}));
  all.push_back(tensors_set_to("many matrices",
                               {{"tensor", 1}, {"step1", 7}, {"step2", 7}, {"step3", 7}, {"element", 191}},
                               {"storage", "view", "order", "chain.view", "read", "axes", "tasks"}));
  all.push_back(tensors_set_to("no elements", {{"tensor", 1}, {"step1", 2}, {"step2", 2}, {"step3", 8}},
                               {"storage", "view", "order.contiguous", "chain.view", "read", "axes", "tasks"}));
  return all;
}

}  // namespace warpwalk::story::testing
