// Derivatives of single ops and of whole expressions, by autograd's formulas and by finite differences.
#include <algorithm>
#include <cmath>
#include <functional>

#include "core/ops/definitions/all_definitions.h"
#include "core/story/labs/autograd/tape.h"
#include "core/story/labs/autograd/tape_session.h"

namespace warpwalk::story {
namespace {

constexpr double step = 1e-5;
// Beyond this, the slopes to both sides are different ones: rounding and curvature give less than a thousandth.
constexpr double kink_slack = 1e-2;

double dot(const TapeTensor& weights, const ops::Tensor& values) {
  const std::vector<double> elements = ops::values_of(values);
  double sum = 0;
  // A weight of 0 leaves an element out, even if that is infinite.
  for (std::size_t i = 0; i < elements.size() && i < weights.values.size(); ++i)
    if (weights.values[i] != 0) sum += weights.values[i] * elements[i];
  return sum;
}

// The slope of f at each element of `at`; `kink` becomes true if the slopes to both sides differ.
TapeTensor slopes(TapeTensor at, const std::function<double(const TapeTensor&)>& f, bool* kink = nullptr) {
  TapeTensor result{at.sizes, {}};
  for (double& element : at.values) {
    const double here = element, value = f(at);
    element = here + step;
    const double above = f(at);
    element = here - step;
    const double below = f(at);
    element = here;
    result.values.push_back((above - below) / (2 * step));
    const double right = (above - value) / step, left = (value - below) / step;
    if (kink != nullptr && std::abs(right - left) > kink_slack * std::max(1.0, std::abs(right) + std::abs(left)))
      *kink = true;
  }
  return result;
}

// The op of a node of the tape that a session recorded anew.
const TapeOp* op_of(const TapeSession& session, std::string_view tensor) {
  const auto at = std::ranges::find(session.ops(), tensor, &TapeOp::tensor);
  return at == session.ops().end() || at->node == nullptr ? nullptr : &*at;
}

}  // namespace

std::optional<TapeDerivative> tape_derivative(const TapeProgram& program, const TapePlan& plan, std::size_t node,
                                              std::size_t edge, const TapeTensor& gradient) {
  TapePlan plain = plan;
  plain.write = {};
  plain.times = 1;
  const Tape tape = run_tape(program, plain);
  if (node >= tape.nodes.size() || edge >= tape.nodes[node].next.size() || !tape.nodes[node].next[edge].to) return {};
  TapeSession session(program);
  session.make_leaves(plan.frozen, plan.values);
  session.forward(false);
  const TapeOp* const op = op_of(session, tape.nodes[node].tensor);
  if (op == nullptr) return {};
  const std::size_t argument = ops::find_definition(op->op)->derivative->inputs[edge];
  const auto* const tensor = std::get_if<ops::Tensor>(&op->arguments[argument]);
  if (tensor == nullptr) return {};
  ops::Dispatcher& dispatcher = session.dispatcher();
  const ops::NoGrad off(dispatcher);
  const TapeTensor at = TapeSession::read(*tensor);
  const auto product = [&](const TapeTensor& incoming) {
    const std::vector<ops::Tensor> out = op->node->apply(dispatcher, *op->node, session.make(incoming));
    if (!out[edge].defined()) return TapeTensor{at.sizes, std::vector<double>(at.values.size())};
    return TapeSession::read(ops::summed_to(dispatcher, out[edge], at.sizes));
  };
  TapeDerivative result;
  TapeTensor one{op->result.sizes(), std::vector<double>(static_cast<std::size_t>(op->result.count()))};
  for (double& element : one.values) {
    element = 1;
    result.jacobian.push_back(product(one).values);
    element = 0;
  }
  result.by_autograd = product(gradient);
  result.by_differences = slopes(
      at,
      [&](const TapeTensor& changed) {
        std::vector<ops::Argument> arguments = op->arguments;
        arguments[argument] = session.make(changed);
        return dot(gradient, dispatcher.call(op->op, std::move(arguments)));
      },
      &result.kink);
  return result;
}

std::vector<TapeTensor> differences_of(const TapeProgram& program, const TapeTensor& seed) {
  TapeSession session(program);
  std::vector<TapeTensor> values, result;
  for (std::size_t i = 0; i < program.inputs.size(); ++i) values.push_back(tape_input(i, program.inputs[i].sizes));
  for (std::size_t i = 0; i < values.size(); ++i)
    result.push_back(slopes(values[i], [&](const TapeTensor& changed) {
      std::vector<TapeTensor> all = values;
      all[i] = changed;
      session.make_leaves({}, all);
      return dot(seed, session.forward(true));
    }));
  return result;
}

}  // namespace warpwalk::story
