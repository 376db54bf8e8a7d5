// Lab: the tape that autograd records, the way back, and what guards it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/facts/words/ask.h"
#include "core/story/labs/autograd/autograd.h"
#include "core/story/labs/lab.h"
#include "core/story/labs/labs.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view name = AutogradLab::name;

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

void set_picture(const AutogradLab& lab, std::string_view beat, Stage& stage) {
  Panels panels;
  if (beat == "tape") {
    panels.rows = {{1.5, {tape_panel(lab, lab.tape, false)}}, {1, saved_panels(lab)}};
    keep_controls(stage, {"expression", "example"});
  } else if (beat == "back") {
    panels.rows = {{1.5, {tape_panel(lab, lab.tape, true)}}, {1, step_panels(lab)}};
    keep_controls(stage, {"expression", "example", "step", "seed"});
  } else if (beat == "vjp") {
    std::vector<Panel> product = product_panels(lab);
    if (!lab.chosen().is_leaf()) product.push_back(rules_panel(lab));
    panels.rows = {{1.2, {tape_panel(lab, lab.tape, false, false)}}, {1, std::move(product), true}};
    keep_controls(stage, {"expression", "example", "argument", "seed"});
  } else if (beat == "jacobian") {
    panels.rows = {{1.4, {jacobian_panel(lab)}}};
    if (std::vector<Panel> product = jacobian_product_panels(lab); !product.empty())
      panels.rows.push_back({0.8, std::move(product)});
    keep_controls(stage, {"expression", "example", "argument", "size"});
  } else if (beat == "leaves") {
    panels.rows = {{1, {variables_panel(lab)}, true}, {1, gradient_panels(lab)}};
    keep_controls(stage, {"expression", "example", "mode", "frozen", "rounds"});
  } else if (beat == "inplace") {
    panels.rows = {{1, {versions_panel(lab)}, true}};
    if (!lab.written.refused.empty()) panels.rows.push_back({1, {refusal_panel(lab)}, true});
    keep_controls(stage, {"expression", "example", "write", "how"});
  } else {
    panels.rows = {{1, {tasks_panel(lab.input, name, tasks_of(lab))}, true}};
    keep_controls(stage, {"expression", "example", "seed", "step", "frozen", "rounds", "write"});
  }
  stage.picture = std::make_shared<const Panels>(std::move(panels));
}

// The section of the beat's words, by what happened.
std::string section_of(const AutogradLab& lab, std::string_view beat) {
  if (beat == "back") {
    const std::optional<std::size_t> running = lab.running();
    return !running ? "back.seed" : lab.tape.nodes[*running].is_leaf() ? "back.leaf" : "back";
  }
  if (beat == "vjp" || beat == "jacobian")
    return lab.chosen().is_leaf() ? fmt::format("{}.leaf", beat) : std::string(beat);
  if (beat == "leaves")
    return lab.rounds.root.has_value()               ? "leaves"
           : lab.mode == AutogradLab::Mode::detached ? "leaves.detached"
           : lab.mode == AutogradLab::Mode::no_grad  ? "leaves.off"
                                                     : "leaves.frozen";
  if (beat == "inplace")
    return lab.write.tensor.empty()       ? "inplace.none"
           : lab.written.refused_at_write ? "inplace.leaf"
           : lab.written.refused.empty()  ? "inplace.fine"
                                          : "inplace";
  return std::string(beat);
}

// Whether backward still runs after the write.
Ask write_question(const AutogradLab& lab) {
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

Stage fault_stage(AutogradLab& lab, const std::vector<Beat>& beats) {
  const std::string key = lab.fault.key.empty() ? "text" : lab.fault.key;
  const Narration::Values values = {{"message", lab.fault.error.message},
                                    {"place", fmt::to_string(lab.fault.error.position + 1)},
                                    {"names", fmt::to_string(TapeLimits::names)},
                                    {"elements", fmt::to_string(TapeLimits::elements)},
                                    {"nodes", fmt::to_string(TapeLimits::nodes)}};
  const SceneInput& input = lab.input;
  Stage stage = common_stage(input, name, beats, values, "dispatch");
  const std::string section = fmt::format("{}.fault.{}", name, key);
  stage.title = input.narration.text(section, "title", values);
  stage.sentence = input.narration.text(section, "sentence", values);
  stage.note = input.narration.text("lab/autograd.fault", "note");
  stage.controls = lab.controls.take();
  stage.picture = std::make_shared<const Panels>(Panels{{{1, {fault_panel(lab)}, true}}});
  return stage;
}

void add_facts(const AutogradLab& lab, std::string_view beat, FactWriter& facts) {
  if (beat == "jacobian" && !lab.chosen().is_leaf()) {
    const auto elements = static_cast<double>(lab.size) * static_cast<double>(lab.size);
    facts.derived("entries", elements * elements, Unit::count);
    facts.derived("bytes", 4 * elements * elements, Unit::bytes);
    facts.derived("product_bytes", 4 * elements, Unit::bytes);
    return;
  }
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
  if (beat != "back" && beat != "tasks") return;
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

}  // namespace

std::vector<Beat> autograd_beats(const Trace&, const Walk&) {
  return {{"tape", 0}, {"back", 0}, {"vjp", 0}, {"jacobian", 0}, {"leaves", 0}, {"inplace", 0}, {"tasks", 0}};
}

Stage autograd_lab(const SceneInput& input) {
  const std::vector<Beat> beats = autograd_beats(input.trace, input.walk);
  const std::size_t number = static_cast<std::size_t>(input.moment.value - 1);
  const std::string beat = beats[number].key;
  AutogradLab lab(input, beat);
  if (!lab.program) return fault_stage(lab, beats);
  const std::optional<std::size_t> running = lab.running();
  const TapeNode& chosen = lab.chosen();
  std::string made;
  if (!lab.write.tensor.empty())
    made = lab.write.no_grad ? lab.word("write_no_grad", {{"tensor", lab.write.tensor}})
                             : lab.word("write_plain", {{"tensor", lab.write.tensor}});
  Narration::Values values = {
      {"expression", lab.expression},
      {"nodes", count_text(input.narration, "node", static_cast<std::int64_t>(lab.tape.nodes.size()))},
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
      {"rounds", count_text(input.narration, "round", lab.times)},
      {"write", made},
      {"stopped", lab.written.stopped_at ? lab.written.nodes[*lab.written.stopped_at].name : std::string()}};
  const std::string section = section_of(lab, beat);
  // The beat's own key is replaced by the section that fits what happened.
  std::vector<Beat> shown = beats;
  shown[number].key = section;
  Stage stage = common_stage(input, name, shown, values, "dispatch");
  FactWriter facts(input, values, stage);
  add_facts(lab, beat, facts);
  stage.controls = lab.controls.take();
  set_picture(lab, beat, stage);
  if (beat == "inplace" && !lab.write.tensor.empty()) ask(input, values, write_question(lab), stage);
  return stage;
}

}  // namespace warpwalk::story
