// The settings of the lab "collectives".
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/collectives/collectives.h"
#include "core/story/labs/collectives/tree.h"

namespace warpwalk::story {
namespace {

std::vector<std::string> words_of(const Collectives& lab, std::span<const std::string_view> keys) {
  std::vector<std::string> words;
  for (const std::string_view key : keys) words.push_back(lab.word(key));
  return words;
}

}  // namespace

Collectives::Collectives(const SceneInput& in) : input(in) {
  gpus = static_cast<int>(controls.slider("gpus", steps_by(2, max_collective_gpus, 1), 4, "example"));
  controls.last().resets = {"ring_step", "tree_step", "other_step", "late_gpu"};
  trees = 1 + static_cast<int>(controls.choice("trees", {word("one_tree"), word("two_trees")}, 1, "example"));
  controls.last().resets = {"tree_step"};
  other = controls.choice("collective", words_of(*this, other_keys), 0, "example");
  controls.last().resets = {"other_step"};
  read_steps();
  algorithm = controls.choice("algorithm", words_of(*this, algorithm_keys), 0, "example");
  bytes = std::exp2(static_cast<double>(controls.slider("size", steps_by(3, 30, 3), 24, "example")));
  controls.last().shown = bytes_text(bytes);
  costs[0] = ring_cost(gpus);
  costs[1] = tree_cost(gpus, trees);
  read_link();
  run_late();
  stages = static_cast<int>(controls.slider("stages", steps_by(2, 8, 1), 4, "example"));
  microbatches = static_cast<int>(controls.slider("microbatches", steps_by(1, 16, 1), 8, "example"));
  backward = static_cast<int>(controls.slider("backward", steps_by(1, 3, 1), 2, "example"));
  order = controls.choice("order", words_of(*this, order_keys), 0, "example");
  for (const PipelineOrder one : {PipelineOrder::gpipe, PipelineOrder::one_forward})
    pipelines[static_cast<std::size_t>(one)] = run_pipeline(one, stages, microbatches, backward);
}

void Collectives::read_steps() {
  ring = ring_plan(analysis::CollectiveKind::all_reduce, gpus);
  tree = tree_plan(gpus, gpus, trees);
  chosen_other = ring_plan(others[other], gpus);
  const auto step = [&](std::string_view control, const CollectivePlan& plan) -> std::optional<int> {
    const std::int64_t value = controls.slider(control, steps_by(0, plan.steps, 1), plan.steps, "last_step");
    controls.last().stepped = true;
    return controls.last().set ? std::optional(static_cast<int>(value)) : std::nullopt;
  };
  ring_step = step("ring_step", ring);
  tree_step = step("tree_step", tree);
  other_step = step("other_step", chosen_other);
}

void Collectives::read_link() {
  fit = fit_link(input.hardware.collectives, gpus);
  if (fit) link = fit->link;
  const std::string_view source = fit ? "fitted" : "example";
  const std::int64_t latency = controls.slider("latency", {200, 500, 1000, 2000, 5000, 10000, 20000, 50000},
                                               std::llround(link.latency), source, "ns");
  latency_set = controls.last().set;
  const std::int64_t bandwidth = controls.slider("bandwidth", {1, 10, 25, 50, 100, 200, 300, 400, 450, 900},
                                                 std::llround(link.bandwidth), source, "GB/s");
  bandwidth_set = controls.last().set;
  // A fitted value is used as it is, not as the control shows it.
  if (latency_set) link.latency = static_cast<double>(latency);
  if (bandwidth_set) link.bandwidth = static_cast<double>(bandwidth);
}

void Collectives::run_late() {
  compute = 1000.0 * static_cast<double>(
                         controls.slider("compute", {100, 200, 500, 1000, 2000, 5000, 10000}, 2000, "example", "µs"));
  late = 1000.0 * static_cast<double>(controls.slider("late", {0, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000},
                                                      2000, "example", "µs"));
  late_gpu = static_cast<int>(controls.slider("late_gpu", steps_by(0, gpus - 1, 1), 1, "example"));
  std::vector<double> arrivals(static_cast<std::size_t>(gpus), compute);
  arrivals[static_cast<std::size_t>(late_gpu)] += late;
  timed = run_with_arrivals(ring, arrivals, send_ns());
}

std::string Collectives::word(std::string_view key, const Narration::Values& values) const {
  return input.narration.text(fmt::format("{}.word", name), key, values);
}

const records::CollectiveTime* Collectives::measured() const {
  return find_collective(input.hardware.collectives, gpus, "all_reduce", bytes);
}

bool Collectives::any_measured() const {
  return std::ranges::any_of(input.hardware.collectives, [&](const records::CollectiveTime& one) {
    return one.gpus == gpus && one.kind == "all_reduce";
  });
}

double Collectives::waited() const {
  double all = 0;
  for (const ArrivedGpu& gpu : timed) all += gpu.waited;
  return all;
}

double Collectives::last_end() const {
  double last = 0;
  for (const ArrivedGpu& gpu : timed) last = std::max(last, gpu.end);
  return last;
}

int shown_step(const CollectivePlan& plan, const std::optional<int>& set, double shown) {
  return set ? *set : static_cast<int>(std::lround(shown * plan.steps));
}

}  // namespace warpwalk::story
