// The controls of the lab of autograd, and what is computed from them.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/labs/autograd/autograd.h"
#include "core/story/labs/labs.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view examples[] = {"relu(a @ b)", "(relu(a @ b) * c).sum()", "tanh(a @ b + c)", "a * b + a",
                                         "softmax(a, 1) * b"};

// The walk's expression, if it was run with gradients and the lab can play it.
std::string own_expression(const Trace& trace) {
  const std::string& expression = trace.records.expression;
  if (expression.empty() || text_fault(expression, autograd_text.max_bytes)) return {};
  const bool gradients = std::ranges::any_of(trace.metadata, [&](const auto& entry) {
    return trace.text(entry.first) == "warpwalk_run" &&
           trace.text(entry.second).find("\"gradients\": true") != std::string_view::npos;
  });
  return gradients && std::holds_alternative<TapeProgram>(tape_program(expression)) ? expression : std::string();
}

}  // namespace

void AutogradLab::set_expression() {
  std::vector<std::string> texts(std::begin(examples), std::end(examples));
  const std::string own = own_expression(input.trace);
  const bool of_walk = !own.empty();
  if (of_walk && std::ranges::find(texts, own) == texts.end()) texts.insert(texts.begin(), own);
  const auto usual = of_walk ? static_cast<std::size_t>(std::ranges::find(texts, own) - texts.begin()) : std::size_t{0};
  const std::string_view source = of_walk ? "walk" : "usual";
  const bool typed = input.controls.get_text(name, autograd_text.name).has_value();
  const std::size_t chosen = controls.choice("example", texts, usual, source);
  controls.last().resets = {std::string(autograd_text.name)};
  if (typed) {  // none of them is on
    controls.last().value = static_cast<double>(texts.size());
    controls.last().shown = word("own");
  }
  expression = controls.text(autograd_text.name, texts[chosen], source, autograd_text.max_bytes);
  Control& text = controls.last();
  text.resets = {"example"};
  auto made = tape_program(expression);
  if (auto* const found = std::get_if<TapeProgram>(&made)) {
    program = std::move(*found);
    return;
  }
  fault = std::get<TapeFault>(std::move(made));
  if (typed) {
    text.fault = fault.error.position;
    text.fault_bytes = std::max<std::size_t>(1, fault.error.length);
  }
}

void AutogradLab::set_node() {
  const auto last = static_cast<std::int64_t>(tape.nodes.size()) - 1;
  node = static_cast<std::size_t>(std::max<std::int64_t>(0, controls.pointed("node", last, 0)));
  std::vector<std::string> arguments;
  std::vector<std::size_t> edges;
  for (std::size_t e = 0; e < chosen().next.size(); ++e) {
    if (!chosen().next[e].to) continue;
    arguments.push_back(chosen().next[e].argument);
    edges.push_back(e);
  }
  if (arguments.empty()) return;
  edge = edges[controls.choice("argument", std::move(arguments), 0, "usual")];
}

AutogradLab::AutogradLab(const SceneInput& in, const AutogradStart& start) : input(in) {
  set_expression();
  if (!program) return;
  one_element = controls.choice("seed", {word("seed_ones"), word("seed_one")}, 0, "usual") == 1;
  plan.one_element = one_element;
  tape = run_tape(*program, plan);
  set_node();
  const auto steps = static_cast<double>(tape.order.size());
  step = static_cast<std::size_t>(controls.slider(
      "step", steps_by(0, steps, 1), std::min<std::int64_t>(2, static_cast<std::int64_t>(steps)), "usual"));
  size = controls.slider("size", {1, 2, 4, 16, 64, 256, 1024, 4096, 16384}, 1024, "usual");

  std::vector<std::string> leaves = {word("none")}, targets = {word("none")};
  for (const TapeVariable& variable : tape.variables) {
    if (variable.call.empty()) leaves.push_back(variable.name);
    targets.push_back(variable.name);
  }
  mode = static_cast<Mode>(controls.choice("mode", {word("recorded"), word("no_grad"), word("detached")}, 0, "usual"));
  const std::size_t frozen = controls.choice("frozen", leaves, 0, "usual");
  times = static_cast<int>(controls.slider("rounds", steps_by(1, TapeLimits::times, 1), 1, "usual"));
  TapePlan rounds_plan;
  rounds_plan.no_grad = mode == Mode::no_grad;
  rounds_plan.detached = mode == Mode::detached;
  if (frozen > 0) rounds_plan.frozen = leaves[frozen];
  rounds_plan.times = times;
  rounds = run_tape(*program, rounds_plan);

  const std::size_t usual = start.writes ? targets.size() - 1 : 0;
  const std::size_t target = controls.choice("write", targets, usual, "usual");
  if (target > 0) write.tensor = targets[target];
  write.no_grad = controls.choice("how", {word("as_usual"), word("under_no_grad")}, 0, "usual") == 1;
  TapePlan write_plan;
  write_plan.write = write;
  written = run_tape(*program, write_plan);
}

std::optional<std::size_t> AutogradLab::running() const {
  return step == 0 || step > tape.order.size() ? std::nullopt : std::optional(tape.order[step - 1]);
}

std::string AutogradLab::rule(const TapeNode& of, const TapeEdge& argument) const {
  const std::string key = fmt::format("{}.{}", of.name, argument.argument);
  std::string text = input.narration.text("lab/autograd.rule", key);
  if (argument.summed) text += word("summed");
  return text;
}

std::optional<TapeDerivative> AutogradLab::derivative(std::size_t of_edge) const {
  if (!chosen().gradient) return {};
  return tape_derivative(*program, plan, node, of_edge, *chosen().gradient);
}

}  // namespace warpwalk::story
