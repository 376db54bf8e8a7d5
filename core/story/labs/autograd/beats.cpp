// Lab: the tape that autograd records, the way back, and what guards it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/autograd/autograd.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view autograd_lab_name = AutogradLab::name;

std::size_t saved_count(const Tape& tape) {
  std::size_t count = 0;
  for (const TapeNode& node : tape.nodes) count += node.saved.size();
  return count;
}

// A leaf that two nodes send a gradient to.
bool adds_at_a_leaf(const Tape& tape) {
  std::vector<std::size_t> incoming(tape.nodes.size());
  for (const TapeNode& node : tape.nodes)
    for (const TapeEdge& edge : node.next)
      if (edge.to) ++incoming[*edge.to];
  for (std::size_t i = 0; i < incoming.size(); ++i)
    if (tape.nodes[i].is_leaf() && incoming[i] > 1) return true;
  return false;
}

std::vector<Task> tasks_of(const AutogradLab& lab) {
  const bool wrote_result = !lab.write.tensor.empty() && !lab.written.find(lab.write.tensor)->call.empty();
  return {{"one", lab.one_element && lab.step > 0 && lab.step == lab.tape.order.size()},
          {"twice", lab.mode == AutogradLab::Mode::recorded && lab.times == 2},
          {"less", saved_count(lab.rounds) < saved_count(lab.tape) && lab.rounds.root.has_value()},
          {"refused", lab.written.stopped_at.has_value()},
          {"harmless", wrote_result && lab.written.refused.empty()},
          {"both", adds_at_a_leaf(lab.tape)}};
}

using AutogradBeat = BeatOf<AutogradLab, AutogradStart>;

PanelRows vjp_rows(const AutogradLab& lab) {
  std::vector<Panel> product = product_panels(lab);
  if (!lab.chosen().is_leaf()) product.push_back(rules_panel(lab));
  return {{1.2, {tape_panel(lab, lab.tape, false, false)}}, {1, std::move(product), true}};
}

PanelRows jacobian_rows(const AutogradLab& lab) {
  PanelRows rows = {{1.4, {jacobian_panel(lab)}}};
  if (std::vector<Panel> product = jacobian_product_panels(lab); !product.empty())
    rows.push_back({0.8, std::move(product)});
  return rows;
}

PanelRows versions_rows(const AutogradLab& lab) {
  PanelRows rows = {{1, {versions_panel(lab)}, true}};
  if (!lab.written.refused.empty()) rows.push_back({1, {refusal_panel(lab)}, true});
  return rows;
}

std::string back_section(const AutogradLab& lab) {
  const std::optional<std::size_t> running = lab.running();
  return !running ? "back.seed" : lab.tape.nodes[*running].is_leaf() ? "back.leaf" : "back";
}

std::string leaves_section(const AutogradLab& lab) {
  return lab.rounds.root.has_value()               ? "leaves"
         : lab.mode == AutogradLab::Mode::detached ? "leaves.detached"
         : lab.mode == AutogradLab::Mode::no_grad  ? "leaves.off"
                                                   : "leaves.frozen";
}

std::string write_section(const AutogradLab& lab) {
  return lab.write.tensor.empty()       ? "inplace.none"
         : lab.written.refused_at_write ? "inplace.leaf"
         : lab.written.refused.empty()  ? "inplace.fine"
                                        : "inplace";
}

// Whether backward still runs after the write.
std::optional<Ask> write_question(const AutogradLab& lab) {
  if (lab.write.tensor.empty()) return {};
  Ask asked;
  asked.key = "inplace";
  asked.about = fmt::format("{} {} {}", lab.expression, lab.write.tensor, lab.write.no_grad);
  asked.options.words = {lab.word("it_runs")};
  asked.options.keys = {"runs", "refused"};
  asked.options.values = {{}, {}};
  if (lab.written.refused_at_write) asked.options.right = 1;
  asked.options.words.push_back(lab.word("write_refused"));
  for (std::size_t i = 0; i < lab.tape.nodes.size() && asked.options.words.size() < max_options; ++i) {
    const TapeNode& node = lab.tape.nodes[i];
    if (node.saved.empty()) continue;
    const bool stops = lab.written.stopped_at && lab.written.nodes[*lab.written.stopped_at].sequence == node.sequence;
    if (stops) asked.options.right = asked.options.words.size();
    asked.options.words.push_back(lab.word("stops_at", {{"node", node.name}, {"tensor", node.tensor}}));
    asked.options.keys.emplace_back(lab.written.refused_at_write ? "not_reached" : "stops");
    asked.options.values.push_back({{"node", node.name}, {"tensor", node.tensor}});
  }
  asked.before = [&lab](Stage& stage) {
    stage.picture = std::make_shared<const Panels>(Panels{{{1, {tape_panel(lab, lab.tape, false)}}}});
  };
  return asked;
}

// A text that cannot be played: its fault in place of any beat.
std::optional<Stage> fault_stage(AutogradLab& lab, const Here& here) {
  if (lab.program) return {};
  const std::string key = lab.fault.key.empty() ? "text" : lab.fault.key;
  const Narration::Values values = {{"message", lab.fault.error.message},
                                    {"place", fmt::to_string(lab.fault.error.position + 1)},
                                    {"names", fmt::to_string(TapeLimits::names)},
                                    {"elements", fmt::to_string(TapeLimits::elements)},
                                    {"nodes", fmt::to_string(TapeLimits::nodes)}};
  Stage stage = worded_stage(here, fmt::format("fault.{}", key), values, "dispatch");
  stage.note = lab.input.narration.text("lab/autograd.fault", "note");
  stage.controls = lab.controls.take();
  stage.picture = std::make_shared<const Panels>(Panels{{{1, {fault_panel(lab)}, true}}});
  return stage;
}

void tape_facts(const AutogradLab& lab, FactWriter& facts) {
  facts.counted("nodes", lab.tape.nodes.size());
  facts.counted("saved", saved_count(lab.tape));
  std::size_t bytes = 0;
  std::vector<std::string> tensors;
  for (const TapeNode& node : lab.tape.nodes)
    for (const TapeSaved& saved : node.saved) {
      if (std::ranges::find(tensors, saved.tensor) != tensors.end()) continue;
      tensors.push_back(saved.tensor);
      bytes += saved.value.values.size() * sizeof(double);
    }
  facts.derived("saved_bytes", static_cast<double>(bytes), Unit::bytes);
}

void jacobian_facts(const AutogradLab& lab, FactWriter& facts) {
  if (lab.chosen().is_leaf()) return tape_facts(lab, facts);
  const auto elements = static_cast<double>(lab.size) * static_cast<double>(lab.size);
  facts.derived("entries", elements * elements, Unit::count);
  facts.derived("bytes", 4 * elements * elements, Unit::bytes);
  facts.derived("product_bytes", 4 * elements, Unit::bytes);
}

void back_facts(const AutogradLab& lab, FactWriter& facts) {
  tape_facts(lab, facts);
  const std::vector<TapeTensor> differences = differences_of(*lab.program, lab.tape.seed);
  double largest = 0;
  for (std::size_t i = 0; i < differences.size(); ++i)
    if (const auto& grad = lab.tape.variables[i].grad)
      for (std::size_t e = 0; e < grad->values.size(); ++e) {
        const double difference = std::abs(grad->values[e] - differences[i].values[e]);
        if (!(difference <= largest)) largest = difference;
      }
  facts.derived("difference", real_text(largest, 2));
}

Narration::Values values_of(const AutogradLab& lab) {
  const Narration& narration = lab.input.narration;
  const std::optional<std::size_t> running = lab.running();
  const TapeNode& chosen = lab.chosen();
  std::string made;
  if (!lab.write.tensor.empty())
    made = lab.write.no_grad ? lab.word("write_no_grad", {{"tensor", lab.write.tensor}})
                             : lab.word("write_plain", {{"tensor", lab.write.tensor}});
  return {{"expression", lab.expression},
          {"nodes", count_text(narration, "node", static_cast<std::int64_t>(lab.tape.nodes.size()))},
          {"step", fmt::to_string(lab.step)},
          {"steps", fmt::to_string(lab.tape.order.size())},
          {"running", running ? lab.tape.nodes[*running].name : std::string()},
          {"running_tensor", running ? lab.tape.nodes[*running].tensor : std::string()},
          {"node", chosen.name},
          {"call", chosen.call},
          {"tensor", chosen.tensor},
          {"argument", lab.edge < chosen.next.size() ? chosen.next[lab.edge].argument : std::string()},
          {"rows", fmt::to_string(chosen.forward.values.size())},
          {"columns", chosen.next.size() > lab.edge && chosen.next[lab.edge].sent
                          ? fmt::to_string(chosen.next[lab.edge].sent->values.size())
                          : std::string("0")},
          {"n", with_thousands(lab.size)},
          {"rounds", count_text(narration, "round", lab.times)},
          {"write", made},
          {"stopped", lab.written.stopped_at ? lab.written.nodes[*lab.written.stopped_at].name : std::string()}};
}

constexpr Frame<AutogradLab, AutogradStart> autograd_frame = {
    .subject = [](const Here& here) { return AutogradLab(here.input, here.shown<AutogradBeat>()->more); },
    .stop = "dispatch",
    .otherwise = fault_stage,
    .values = values_of,
    .complete = take_controls};

constexpr AutogradBeat autograd_beats[] = {
    {.key = "tape",
     .facts = tape_facts,
     .panels = [](const AutogradLab& lab) -> PanelRows {
       return {{1.5, {tape_panel(lab, lab.tape, false)}}, {1, saved_panels(lab)}};
     },
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example"};
     }},
    {.key = "back",
     .section = back_section,
     .facts = back_facts,
     .panels = [](const AutogradLab& lab) -> PanelRows {
       return {{1.5, {tape_panel(lab, lab.tape, true)}}, {1, step_panels(lab)}};
     },
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "step", "seed"};
     }},
    {.key = "vjp",
     .section = [](const AutogradLab& lab) -> std::string { return lab.chosen().is_leaf() ? "vjp.leaf" : "vjp"; },
     .facts = tape_facts,
     .panels = vjp_rows,
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "argument", "seed"};
     }},
    {.key = "jacobian",
     .section = [](const AutogradLab& lab) -> std::string {
       return lab.chosen().is_leaf() ? "jacobian.leaf" : "jacobian";
     },
     .facts = jacobian_facts,
     .panels = jacobian_rows,
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "argument", "size"};
     }},
    {.key = "leaves",
     .section = leaves_section,
     .facts = tape_facts,
     .panels = [](const AutogradLab& lab) -> PanelRows {
       return {{1, {variables_panel(lab)}, true}, {1, gradient_panels(lab)}};
     },
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "mode", "frozen", "rounds"};
     }},
    {.key = "inplace",
     .section = write_section,
     .facts = tape_facts,
     .panels = versions_rows,
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "write", "how"};
     },
     .question = write_question,
     .more = {.writes = true}},
    {.key = "tasks",
     .facts = back_facts,
     .panels = [](const AutogradLab& lab) -> PanelRows {
       return {{1, {tasks_panel(lab.input, autograd_lab_name, tasks_of(lab))}, true}};
     },
     .controls = [](const AutogradLab&) -> ControlNames {
       return {"expression", "example", "seed", "step", "frozen", "rounds", "write"};
     }}};

}  // namespace

const Contents& autograd_lab() {
  static const BeatTable table(autograd_lab_name, autograd_frame, autograd_beats);
  return table;
}

}  // namespace warpwalk::story
