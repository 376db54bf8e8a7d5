// Lab: collectives: how GPUs add up their gradients, step by step, how long it takes, and who waits.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/collectives/collectives.h"
#include "core/story/labs/collectives/tree.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"

namespace warpwalk::story {
namespace {

std::vector<Task> tasks_of(const Collectives& lab) {
  const PipelineRun &gpipe = lab.pipelines[0], &one_forward = lab.pipelines[1];
  return {{"tree", lab.ns(1) * 1.2 <= lab.ns(0)},
          {"rate", all_reduce_bus_bandwidth(lab.gpus, lab.bytes, lab.ns(0)) >= 0.95 * lab.link.bandwidth},
          {"waits", lab.late > 0 && lab.waited() < lab.last_end() - lab.last_arrival()},
          {"bubble", lab.pipeline().bubble < 0.1},
          {"memory", lab.stages >= 4 && 4 * one_forward.most_held <= gpipe.most_held}};
}

void set_picture(const Collectives& lab, std::string_view beat, double shown, Stage& stage) {
  Panels panels;
  const auto steps = [&](const CollectivePlan& plan, const std::optional<int>& set, bool all_reduce) {
    const int step = shown_step(plan, set, shown);
    return PanelRow{
        1.6,
        {holdings_panel(lab, plan, step, step_heading(lab, plan, step, all_reduce)), sends_panel(lab, plan, step)}};
  };
  if (beat == "why") {
    panels.rows = {{1, {gradients_panel(lab, shown)}}};
  } else if (beat == "ring") {
    panels.rows = {steps(lab.ring, lab.ring_step, true)};
  } else if (beat == "tree") {
    const int step = shown_step(lab.tree, lab.tree_step, shown);
    panels.rows = {
        {1, {holdings_panel(lab, lab.tree, step, step_heading(lab, lab.tree, step, false)), trees_panel(lab, step)}}};
  } else if (beat == "time") {
    panels.rows = {{2, {sizes_panel(lab, shown)}}, {1, {algorithms_table(lab)}, true}};
  } else if (beat == "others") {
    panels.rows = {steps(lab.chosen_other, lab.other_step, false), {1, {collectives_table(lab)}, true}};
  } else if (beat == "late") {
    panels.rows = {{1, {late_panel(lab, shown)}}};
  } else if (beat == "pipeline") {
    panels.rows = {{2, {pipeline_panel(lab, shown)}}, {1, {orders_table(lab)}, true}};
  } else {
    panels.rows = {{1, {tasks_panel(lab.input, Collectives::name, tasks_of(lab))}, true},
                   {1, {algorithms_table(lab)}, true, true},
                   {1, {orders_table(lab)}, true, true}};
  }
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

std::string gb_text(double bytes_per_ns) { return fmt::format("{:.3g} GB/s", bytes_per_ns); }

// The number of the algorithm that takes less time for this message.
std::size_t faster(const Collectives& lab) { return lab.ns(0) <= lab.ns(1) ? 0 : 1; }

Narration::Values values_of(const Collectives& lab) {
  const std::size_t other = 1 - lab.algorithm;
  const auto crossover = lab.crossover();
  return {{"gpus", fmt::to_string(lab.gpus)},
          {"before", fmt::to_string(lab.gpus - 1)},
          {"size", binary_text(lab.bytes)},
          {"steps", fmt::to_string(lab.ring.steps)},
          {"half", fmt::to_string(lab.ring.steps / 2)},
          {"sent", bytes_text(lab.ring.busiest_share() * lab.bytes)},
          {"tree_steps", fmt::to_string(lab.tree.steps)},
          {"depth", fmt::to_string(depth_of(binary_tree(lab.gpus, 0)))},
          {"tree_sent", bytes_text(lab.costs[1].share * lab.bytes)},
          {"algorithm", lab.word(Collectives::algorithm_keys[lab.algorithm])},
          {"other", lab.word(Collectives::algorithm_keys[other])},
          {"total", time_text(lab.ns(lab.algorithm))},
          {"other_total", time_text(lab.ns(other))},
          {"crossover", crossover ? bytes_text(*crossover) : ""},
          {"alpha", time_text(lab.link.latency)},
          {"bandwidth", gb_text(lab.link.bandwidth)},
          {"fit_gpus", lab.fit ? fmt::to_string(lab.fit->gpus) : ""},
          {"other_steps", fmt::to_string(lab.chosen_other.steps)},
          {"other_sent", bytes_text(lab.chosen_other.busiest_share() * lab.bytes)},
          {"late_gpu", fmt::to_string(lab.late_gpu)},
          {"late", time_text(lab.late)},
          {"waited", time_text(lab.waited())},
          {"transfer", time_text(lab.last_end() - lab.last_arrival())},
          {"stages", fmt::to_string(lab.stages)},
          {"microbatches", fmt::to_string(lab.microbatches)},
          {"backward", fmt::to_string(lab.backward)},
          {"units", fmt::to_string(lab.pipeline().end)},
          {"bubble", fmt::format("{:.3g} %", 100 * lab.pipeline().bubble)},
          {"held", fmt::to_string(lab.pipeline().most_held)},
          {"gpipe_held", fmt::to_string(lab.pipelines[0].most_held)}};
}

// A value of the link, with where it is from.
void add_link_fact(const Collectives& lab, std::string_view key, std::string text, bool set, FactWriter& facts) {
  std::string from = set || lab.fit ? facts.word("formula", set ? "as_set" : key)
                                    : lab.input.narration.text(fmt::format("{}.control", Collectives::name), "example");
  facts.fact(key, Figure::derived(std::move(text), std::move(from)));
}

void add_facts(const Collectives& lab, std::string_view beat, FactWriter& facts) {
  if (beat == "ring") {
    facts.counted("ring_steps", static_cast<std::size_t>(lab.ring.steps));
    facts.derived("ring_sent", lab.ring.busiest_share() * lab.bytes, Unit::bytes);
  } else if (beat == "tree") {
    facts.counted("tree_steps", static_cast<std::size_t>(lab.tree.steps));
    facts.counted("depth", static_cast<std::size_t>(depth_of(binary_tree(lab.gpus, 0))));
    facts.derived("tree_sent", lab.costs[1].share * lab.bytes, Unit::bytes);
  } else if (beat == "time") {
    facts.derived("total", lab.ns(lab.algorithm), Unit::nanoseconds);
    if (const auto crossover = lab.crossover()) facts.derived("crossover", *crossover, Unit::bytes);
    add_link_fact(lab, "alpha", time_text(lab.link.latency), lab.latency_set, facts);
    add_link_fact(lab, "bandwidth", gb_text(lab.link.bandwidth), lab.bandwidth_set, facts);
    if (const CollectiveTime* const one = lab.measured())
      facts.fact("measured", Figure::recorded(one->ns, Unit::nanoseconds, Origin::measured));
    if (!lab.any_measured()) facts.missing("measured");
  } else if (beat == "others") {
    facts.counted("other_steps", static_cast<std::size_t>(lab.chosen_other.steps));
    facts.derived("other_sent", lab.chosen_other.busiest_share() * lab.bytes, Unit::bytes);
    const CollectivePlan scatter = ring_plan(analysis::CollectiveKind::reduce_scatter, lab.gpus),
                         gather = ring_plan(analysis::CollectiveKind::all_gather, lab.gpus);
    facts.derived("both", (scatter.busiest_share() + gather.busiest_share()) * lab.bytes, Unit::bytes);
  } else if (beat == "late") {
    facts.derived("gate", lab.last_arrival(), Unit::nanoseconds);
    facts.derived("transfer", lab.last_end() - lab.last_arrival(), Unit::nanoseconds);
    facts.derived("waited", lab.waited(), Unit::nanoseconds);
    // The next GPU around the ring: it waits for the late one from its first step on.
    const ArrivedGpu& next = lab.timed[static_cast<std::size_t>((lab.late_gpu + 1) % lab.gpus)];
    facts.derived("wait_share", 100 * next.waited / std::max(1.0, next.end - next.arrival), Unit::percent);
  } else if (beat == "pipeline") {
    facts.derived("bubble", 100 * lab.pipeline().bubble, Unit::percent);
    facts.derived("formula_bubble", 100 * bubble_formula(lab.stages, lab.microbatches), Unit::percent);
    facts.counted("units", static_cast<std::size_t>(lab.pipeline().end));
    facts.counted("held", static_cast<std::size_t>(lab.pipeline().most_held));
  }
}

// The section of a beat's words that the settings choose.
std::string section_of(const Collectives& lab, const std::string& beat) {
  if (beat == "time") return lab.same_cost() ? "time.same" : lab.crossover() ? "time.crossing" : "time.never";
  if (beat == "others") return fmt::format("others.{}", Collectives::other_keys[lab.other]);
  if (beat == "late") return lab.late > 0 ? "late.waits" : "late.none";
  if (beat == "pipeline") return fmt::format("pipeline.{}", Collectives::order_keys[lab.order]);
  return beat;
}

void keep(std::string_view beat, Stage& stage) {
  if (beat == "why") keep_controls(stage, {"gpus"});
  if (beat == "ring") keep_controls(stage, {"gpus", "size", "ring_step"});
  if (beat == "tree") keep_controls(stage, {"gpus", "trees", "tree_step"});
  if (beat == "time") keep_controls(stage, {"gpus", "algorithm", "size", "trees", "latency", "bandwidth"});
  if (beat == "others") keep_controls(stage, {"gpus", "collective", "other_step"});
  if (beat == "late") keep_controls(stage, {"gpus", "late_gpu", "late", "compute", "size"});
  if (beat == "pipeline") keep_controls(stage, {"stages", "microbatches", "order", "backward"});
  if (beat == "tasks")
    keep_controls(stage, {"gpus", "size", "latency", "bandwidth", "late", "stages", "microbatches", "order"});
}

// Numbers of steps that one might think of.
Options step_options(const Collectives& lab) {
  std::map<int, std::string> numbers = {{lab.gpus * lab.gpus, "square"}, {lab.gpus, "gpus"}, {lab.gpus - 1, "half"}};
  numbers[lab.ring.steps] = "right";
  Options options;
  for (const auto& [number, key] : numbers) {
    if (number == lab.ring.steps) options.right = options.words.size();
    options.words.push_back(lab.number_word(number == 1 ? "one_step" : "n_steps", number));
    options.keys.push_back(key);
  }
  return options;
}

void ask_steps(const Collectives& lab, const Narration::Values& values, Stage& stage) {
  const auto before = [&](Stage& asked) {
    Panels panels;
    panels.rows = {{1, {holdings_panel(lab, lab.ring, 0, lab.word("at_start"))}}};
    asked.picture = std::make_shared<const Panels>(std::move(panels));
  };
  ask(lab.input, values, {"steps", fmt::format("gpus {}", lab.gpus), step_options(lab), {}, before}, stage);
}

void ask_faster(const Collectives& lab, const Narration::Values& values, Stage& stage) {
  Options options;
  for (const std::string_view key : {"ring_faster", "tree_faster", "same_time"}) {
    options.words.push_back(lab.word(key));
    options.keys.emplace_back(key);
  }
  options.right = lab.same_cost() ? 2 : faster(lab);
  ask(lab.input, values,
      {"faster",
       fmt::format("gpus {} trees {} bytes {} link {} {}", lab.gpus, lab.trees, lab.bytes, lab.link.latency,
                   lab.link.bandwidth),
       std::move(options),
       {}},
      stage);
}

void ask_bubble(const Collectives& lab, const Narration::Values& values, Stage& stage) {
  const auto before = [&](Stage& asked) {
    Panels panels;
    panels.rows = {{1, {pipeline_panel(lab, 0)}}};
    asked.picture = std::make_shared<const Panels>(std::move(panels));
  };
  ask(lab.input, values,
      {"bubble",
       fmt::format("{} stages {} microbatches {} backward {}", lab.order, lab.stages, lab.microbatches, lab.backward),
       range_options(lab.input.narration, 100 * lab.pipeline().bubble, {10, 25, 50}, "%"),
       {},
       before},
      stage);
}

}  // namespace

std::vector<Beat> collectives_beats(const Trace&, const Walk&) {
  return {{"why", 0}, {"ring", 0}, {"tree", 0}, {"time", 0}, {"others", 0}, {"late", 0}, {"pipeline", 0}, {"tasks", 0}};
}

Stage collectives_lab(const SceneInput& input) {
  Collectives lab(input);
  std::vector<Beat> beats = collectives_beats(input.trace, input.walk);
  Beat& here = beats[static_cast<std::size_t>(input.moment.value - 1)];
  const std::string beat = here.key;
  here.key = section_of(lab, beat);
  const Narration::Values values = values_of(lab);
  Stage stage = common_stage(input, Collectives::name, beats, values, "stream");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, facts);
  set_picture(lab, beat, part(input.moment.phase, 0.05, 0.9), stage);
  stage.controls = lab.controls.take();
  keep(beat, stage);
  if (beat == "ring" || beat == "tree" || beat == "others") stage.motion_seconds = 6;
  if (beat == "ring") ask_steps(lab, values, stage);
  if (beat == "time") ask_faster(lab, values, stage);
  if (beat == "pipeline") ask_bubble(lab, values, stage);
  return stage;
}

}  // namespace warpwalk::story
