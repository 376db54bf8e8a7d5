// Lab: collectives: how GPUs add up their gradients, step by step, how long it takes, and who waits.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/story/beats/beat_of.h"
#include "core/story/labs/collectives/collectives.h"
#include "core/story/labs/collectives/tree.h"
#include "core/story/labs/lab_parts.h"
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

PanelRow steps_row(const Collectives& lab, const CollectivePlan& plan, const std::optional<int>& set, bool all_reduce) {
  const int step = shown_step(plan, set, lab.progress());
  return {1.6,
          {holdings_panel(lab, plan, step, step_heading(lab, plan, step, all_reduce)), sends_panel(lab, plan, step)}};
}

std::string gb_text(double bytes_per_ns) { return with_marks(fmt::format("{:.3g} GB/s", bytes_per_ns)); }

// The number of the algorithm that takes less time for this message.
std::size_t faster(const Collectives& lab) { return lab.ns(0) <= lab.ns(1) ? 0 : 1; }

Narration::Values values_of(const Collectives& lab) {
  const std::size_t other = 1 - lab.algorithm;
  const auto crossover = lab.crossover();
  return {{"gpus", fmt::to_string(lab.gpus)},
          {"before", fmt::to_string(lab.gpus - 1)},
          {"size", bytes_text(lab.bytes)},
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
          {"bubble", with_marks(fmt::format("{:.3g} %", 100 * lab.pipeline().bubble))},
          {"held", fmt::to_string(lab.pipeline().most_held)},
          {"gpipe_held", fmt::to_string(lab.pipelines[0].most_held)}};
}

// A value of the link, with where it is from.
void add_link_fact(const Collectives& lab, std::string_view key, std::string text, bool set, FactWriter& facts) {
  std::string from = set || lab.fit ? facts.word("formula", set ? "as_set" : key)
                                    : lab.input.narration.text(fmt::format("{}.control", Collectives::name), "example");
  facts.fact(key, Figure::derived(std::move(text), std::move(from)));
}

void ring_facts(const Collectives& lab, FactWriter& facts) {
  facts.counted("ring_steps", static_cast<std::size_t>(lab.ring.steps));
  facts.derived("ring_sent", lab.ring.busiest_share() * lab.bytes, Unit::bytes);
}

void tree_facts(const Collectives& lab, FactWriter& facts) {
  facts.counted("tree_steps", static_cast<std::size_t>(lab.tree.steps));
  facts.counted("depth", static_cast<std::size_t>(depth_of(binary_tree(lab.gpus, 0))));
  facts.derived("tree_sent", lab.costs[1].share * lab.bytes, Unit::bytes);
}

void time_facts(const Collectives& lab, FactWriter& facts) {
  facts.derived("total", lab.ns(lab.algorithm), Unit::nanoseconds);
  if (const auto crossover = lab.crossover()) facts.derived("crossover", *crossover, Unit::bytes);
  add_link_fact(lab, "alpha", time_text(lab.link.latency), lab.latency_set, facts);
  add_link_fact(lab, "bandwidth", gb_text(lab.link.bandwidth), lab.bandwidth_set, facts);
  if (const records::CollectiveTime* const one = lab.measured())
    facts.fact("measured", Figure::recorded(one->ns, Unit::nanoseconds, Origin::measured));
  if (!lab.any_measured()) facts.missing("measured");
}

void others_facts(const Collectives& lab, FactWriter& facts) {
  facts.counted("other_steps", static_cast<std::size_t>(lab.chosen_other.steps));
  facts.derived("other_sent", lab.chosen_other.busiest_share() * lab.bytes, Unit::bytes);
  const CollectivePlan scatter = ring_plan(analysis::CollectiveKind::reduce_scatter, lab.gpus),
                       gather = ring_plan(analysis::CollectiveKind::all_gather, lab.gpus);
  facts.derived("both", (scatter.busiest_share() + gather.busiest_share()) * lab.bytes, Unit::bytes);
}

void late_facts(const Collectives& lab, FactWriter& facts) {
  facts.derived("gate", lab.last_arrival(), Unit::nanoseconds);
  facts.derived("transfer", lab.last_end() - lab.last_arrival(), Unit::nanoseconds);
  facts.derived("waited", lab.waited(), Unit::nanoseconds);
  // The next GPU around the ring: it waits for the late one from its first step on.
  const ArrivedGpu& next = lab.timed[static_cast<std::size_t>((lab.late_gpu + 1) % lab.gpus)];
  facts.derived("wait_share", 100 * next.waited / std::max(1.0, next.end - next.arrival), Unit::percent);
}

void pipeline_facts(const Collectives& lab, FactWriter& facts) {
  facts.derived("bubble", 100 * lab.pipeline().bubble, Unit::percent);
  facts.derived("formula_bubble", 100 * bubble_formula(lab.stages, lab.microbatches), Unit::percent);
  facts.counted("units", static_cast<std::size_t>(lab.pipeline().end));
  facts.counted("held", static_cast<std::size_t>(lab.pipeline().most_held));
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

// Shows this panel alone before the answer.
std::function<void(Stage&)> shows_before(Panel panel) {
  return [panel = std::move(panel)](Stage& asked) {
    asked.picture = std::make_shared<const Panels>(Panels{{{1, {panel}}}});
  };
}

std::optional<Ask> steps_question(const Collectives& lab) {
  return Ask{"steps",
             fmt::format("gpus {}", lab.gpus),
             step_options(lab),
             {},
             shows_before(holdings_panel(lab, lab.ring, 0, lab.word("at_start")))};
}

std::optional<Ask> faster_question(const Collectives& lab) {
  Options options;
  for (const std::string_view key : {"ring_faster", "tree_faster", "same_time"}) {
    options.words.push_back(lab.word(key));
    options.keys.emplace_back(key);
  }
  options.right = lab.same_cost() ? 2 : faster(lab);
  return Ask{"faster",
             fmt::format("gpus {} trees {} bytes {} link {} {}", lab.gpus, lab.trees, lab.bytes, lab.link.latency,
                         lab.link.bandwidth),
             std::move(options),
             {}};
}

std::optional<Ask> bubble_question(const Collectives& lab) {
  return Ask{
      "bubble",
      fmt::format("{} stages {} microbatches {} backward {}", lab.order, lab.stages, lab.microbatches, lab.backward),
      range_options(lab.input.narration, 100 * lab.pipeline().bubble, {10, 25, 50}, "%"),
      {},
      shows_before(pipeline_panel(lab, 0))};
}

using CollectivesBeat = BeatOf<Collectives>;

constexpr double step_seconds = 6;  // of a motion through the steps of a plan

constexpr Frame<Collectives> collectives_frame = {
    .subject = [](const Here& here) { return Collectives(here.input); },
    .stop = "stream",
    .values = values_of,
    .complete = [](Collectives& lab, const Narration::Values&, Stage& stage) { stage.controls = lab.controls.take(); }};

constexpr CollectivesBeat collectives_beats[] = {
    {.key = "why",
     .panels = [](const Collectives& lab) -> PanelRows {
       return {{1, {gradients_panel(lab, lab.progress())}}};
     },
     .controls = [](const Collectives&) -> ControlNames { return {"gpus"}; }},
    {.key = "ring",
     .motion_seconds = step_seconds,
     .facts = ring_facts,
     .panels = [](const Collectives& lab) -> PanelRows { return {steps_row(lab, lab.ring, lab.ring_step, true)}; },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "size", "ring_step"};
     },
     .question = steps_question},
    {.key = "tree",
     .motion_seconds = step_seconds,
     .facts = tree_facts,
     .panels = [](const Collectives& lab) -> PanelRows {
       const int step = shown_step(lab.tree, lab.tree_step, lab.progress());
       return {
           {1,
            {holdings_panel(lab, lab.tree, step, step_heading(lab, lab.tree, step, false)), trees_panel(lab, step)}}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "trees", "tree_step"};
     }},
    {.key = "time",
     .section = [](const Collectives& lab) -> std::string {
       return lab.same_cost() ? "time.same" : lab.crossover() ? "time.crossing" : "time.never";
     },
     .facts = time_facts,
     .panels = [](const Collectives& lab) -> PanelRows {
       return {{2, {sizes_panel(lab, lab.progress())}}, {1, {algorithms_table(lab)}, true}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "algorithm", "size", "trees", "latency", "bandwidth"};
     },
     .question = faster_question},
    {.key = "others",
     .motion_seconds = step_seconds,
     .section = [](const Collectives& lab) { return fmt::format("others.{}", Collectives::other_keys[lab.other]); },
     .facts = others_facts,
     .panels = [](const Collectives& lab) -> PanelRows {
       return {steps_row(lab, lab.chosen_other, lab.other_step, false), {1, {collectives_table(lab)}, true}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "collective", "other_step"};
     }},
    {.key = "late",
     .section = [](const Collectives& lab) -> std::string { return lab.late > 0 ? "late.waits" : "late.none"; },
     .facts = late_facts,
     .panels = [](const Collectives& lab) -> PanelRows {
       return {{1, {late_panel(lab, lab.progress())}}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "late_gpu", "late", "compute", "size"};
     }},
    {.key = "pipeline",
     .section = [](const Collectives& lab) { return fmt::format("pipeline.{}", Collectives::order_keys[lab.order]); },
     .facts = pipeline_facts,
     .panels = [](const Collectives& lab) -> PanelRows {
       return {{2, {pipeline_panel(lab, lab.progress())}}, {1, {orders_table(lab)}, true}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"stages", "microbatches", "order", "backward"};
     },
     .question = bubble_question},
    {.key = "tasks",
     .panels = [](const Collectives& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, Collectives::name, tasks_of(lab))}, true},
               {1, {algorithms_table(lab)}, true, true},
               {1, {orders_table(lab)}, true, true}};
     },
     .controls = [](const Collectives&) -> ControlNames {
       return {"gpus", "size", "latency", "bandwidth", "late", "stages", "microbatches", "order"};
     }}};

}  // namespace

const Contents& collectives_lab() {
  static const BeatTable table(Collectives::name, collectives_frame, collectives_beats);
  return table;
}

}  // namespace warpwalk::story
