#include "core/story/labs/autograd/tape.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/story/labs/autograd/tape_nodes.h"
#include "core/story/labs/autograd/tape_session.h"

namespace warpwalk::story {
namespace {

void add(TapeTensor& sum, const TapeTensor& more) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += more.values[i];
}

/// One round: forward, write, backward.
class Round {
 public:
  Round(TapeSession& session, const TapePlan& plan, Tape& tape) : session_(session), plan_(plan), tape_(tape) {}

  void run() {
    tape_ = {};
    ops::Tensor result;
    try {
      result = session_.forward(plan_.no_grad);
    } catch (const ops::OpError& error) {
      tape_.refused = error.what();
      return;
    }
    describe_variables();
    tape_.result = TapeSession::read(result);
    tape_.seed = {result.sizes(), std::vector<double>(tape_.result.values.size(), plan_.one_element ? 0.0 : 1.0)};
    if (plan_.one_element && !tape_.seed.values.empty())
      tape_.seed.values[std::min(plan_.element, tape_.seed.values.size() - 1)] = 1;
    if (!plan_.write.tensor.empty() && !write()) return;
    if (plan_.detached) result = session_.dispatcher().call("aten::detach", {result});
    describe_nodes(result);
    go_back(result);
    finish();
  }

 private:
  void describe_variables() {
    for (std::size_t i = 0; i < session_.leaves().size(); ++i) {
      const ops::Tensor& leaf = session_.leaves()[i];
      TapeVariable variable;
      variable.name = session_.program().inputs[i].name;
      variable.requires_grad = ops::requires_grad(leaf);
      variable.value = TapeSession::read(leaf);
      tape_.variables.push_back(std::move(variable));
      tensors_.push_back(leaf);
    }
    for (const TapeOp& op : session_.ops()) {
      TapeVariable variable;
      variable.name = op.tensor;
      variable.call = call_text(op, session_);
      variable.requires_grad = ops::requires_grad(op.result);
      variable.is_leaf = op.node == nullptr;
      variable.grad_fn = op.node == nullptr ? "" : op.node->name;
      variable.value = TapeSession::read(op.result);
      tape_.variables.push_back(std::move(variable));
      tensors_.push_back(op.result);
      calls_.emplace(op.node.get(), tape_.variables.size() - 1);
      if (op.node != nullptr) saved_.emplace(op.node.get(), saved_of(op, session_));
    }
  }

  // False if it was refused.
  bool write() {
    const auto at = std::ranges::find(tape_.variables, plan_.write.tensor, &TapeVariable::name);
    if (at == tape_.variables.end()) return true;
    const ops::Tensor target = tensors_[static_cast<std::size_t>(at - tape_.variables.begin())];
    try {
      std::optional<ops::NoGrad> off;
      if (plan_.write.no_grad) off.emplace(session_.dispatcher());
      session_.dispatcher().call("aten::mul_.Tensor", {target, std::int64_t{2}});
    } catch (const ops::OpError& error) {
      tape_.refused = error.what();
      tape_.refused_at_write = true;
      return false;
    }
    return true;
  }

  void describe_nodes(const ops::Tensor& result) {
    const ops::Edge edge = ops::edge_of(result);
    if (edge.node == nullptr) return;
    raw_ = reachable(edge.node, session_.leaves());
    std::map<const ops::Node*, std::size_t> index;
    for (std::size_t i = 0; i < raw_.size(); ++i) index.emplace(raw_[i].get(), i);
    tape_.root = index.at(edge.node.get());
    for (const std::shared_ptr<ops::Node>& from : raw_) tape_.nodes.push_back(described(*from, index));
    set_columns(tape_.nodes);
  }

  TapeNode described(ops::Node& from, const std::map<const ops::Node*, std::size_t>& index) {
    TapeNode node;
    node.name = from.name;
    node.sequence = from.sequence;
    std::vector<std::string> arguments;
    if (from.leaf.defined()) {
      node.name = "AccumulateGrad";
      node.tensor = session_.name_of(from.leaf);
      node.forward = tape_.find(node.tensor)->value;
      from.name = "AccumulateGrad " + node.tensor;  // so that the observer can tell the leaves apart
    } else if (const auto at = calls_.find(&from); at != calls_.end()) {
      const TapeOp& op = session_.ops()[at->second - session_.leaves().size()];
      const ops::OpDefinition& definition = *ops::find_definition(op.op);
      node.op = op.op;
      node.tensor = op.tensor;
      node.call = tape_.variables[at->second].call;
      node.forward = tape_.variables[at->second].value;
      node.saved = saved_.at(&from);
      const std::vector<std::string> names = argument_names(definition.schema);
      for (const std::size_t input : definition.derivative->inputs) arguments.push_back(names.at(input));
    } else {  // the write in place made it
      node.op = "aten::mul_.Tensor";
      node.tensor = plan_.write.tensor;
      node.call = fmt::format("mul_({}, 2)", plan_.write.tensor);
      node.forward = tape_.find(node.tensor)->value;
      for (double& value : node.forward.values) value *= 2;
      arguments = {"self", "other"};
    }
    for (std::size_t i = 0; i < from.next.size(); ++i) {
      TapeEdge edge;
      if (i < arguments.size()) edge.argument = arguments[i];
      if (from.next[i].node != nullptr) edge.to = index.at(from.next[i].node.get());
      node.next.push_back(std::move(edge));
    }
    return node;
  }

  // Notes what each node receives and sends while the engine runs it.
  void listen() {
    for (std::size_t i = 0; i < raw_.size(); ++i) {
      if (raw_[i]->leaf.defined()) continue;
      raw_[i]->apply = [this, i, apply = raw_[i]->apply](ops::Dispatcher& d, const ops::Node& node,
                                                         const ops::Tensor& gradient) {
        running_ = i;
        TapeNode& described = tape_.nodes[i];
        described.gradient = TapeSession::read(gradient);
        std::vector<ops::Tensor> out = apply(d, node, gradient);
        for (std::size_t e = 0; e < out.size() && e < described.next.size(); ++e) {
          TapeEdge& edge = described.next[e];
          if (!edge.to || !out[e].defined()) continue;
          const ops::Tensor fitted = ops::summed_to(d, out[e], raw_[*edge.to]->sizes);
          edge.summed = fitted.sizes() != out[e].sizes();
          edge.sent = TapeSession::read(fitted);
          TapeNode& to = tape_.nodes[*edge.to];
          if (!to.is_leaf()) continue;
          if (to.gradient)
            add(*to.gradient, *edge.sent);
          else
            to.gradient = edge.sent;
        }
        running_.reset();
        return out;
      };
    }
  }

  void go_back(const ops::Tensor& result) {
    listen();
    session_.observer().ran.clear();
    try {
      ops::backward(session_.dispatcher(), result, session_.make(tape_.seed));
    } catch (const ops::OpError& error) {
      tape_.refused = error.what();
      stop();
    }
    if (tape_.root && tape_.nodes[*tape_.root].is_leaf()) tape_.nodes[*tape_.root].gradient = tape_.seed;
    for (const auto& [name, sequence] : session_.observer().ran)
      for (std::size_t i = 0; i < raw_.size(); ++i) {
        if (raw_[i]->name != name || raw_[i]->sequence != sequence || tape_.stopped_at == i) continue;
        tape_.nodes[i].turn = tape_.order.size();
        tape_.order.push_back(i);
      }
  }

  void stop() {
    if (!running_) return;
    tape_.stopped_at = running_;
    const std::vector<TapeSaved>& saved = tape_.nodes[*running_].saved;
    for (std::size_t s = 0; s < saved.size(); ++s) {
      const TapeVariable* const variable = tape_.find(saved[s].tensor);
      if (variable == nullptr) continue;
      const std::uint32_t now = tensors_[static_cast<std::size_t>(variable - tape_.variables.data())].version();
      if (now == saved[s].version) continue;
      tape_.stopped_by = s;
      tape_.changed_version = now;
      return;
    }
  }

  void finish() {
    for (std::size_t i = 0; i < tape_.variables.size(); ++i) {
      tape_.variables[i].version = tensors_[i].version();
      if (const auto& meta = tensors_[i].autograd(); meta != nullptr && meta->function != nullptr)
        tape_.variables[i].grad_fn_at_backward = meta->function->name;
      const ops::Tensor gradient = ops::grad_of(tensors_[i]);
      if (gradient.defined()) tape_.variables[i].grad = TapeSession::read(gradient);
    }
  }

  TapeSession& session_;
  const TapePlan& plan_;
  Tape& tape_;
  std::vector<ops::Tensor> tensors_;               // of the variables
  std::map<const ops::Node*, std::size_t> calls_;  // variable that the node's op made
  std::map<const ops::Node*, std::vector<TapeSaved>> saved_;
  std::vector<std::shared_ptr<ops::Node>> raw_;  // as Tape::nodes
  std::optional<std::size_t> running_;
};

}  // namespace

const TapeVariable* Tape::find(std::string_view name) const {
  const auto at = std::ranges::find(variables, name, &TapeVariable::name);
  return at == variables.end() ? nullptr : &*at;
}

std::optional<std::size_t> Tape::node_of(std::string_view tensor) const {
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!nodes[i].is_leaf() && nodes[i].tensor == tensor) return i;
  return {};
}

Tape run_tape(const TapeProgram& program, const TapePlan& plan) {
  Tape tape;
  TapeSession session(program);
  session.make_leaves(plan.frozen, plan.values);
  for (int time = 0; time < std::max(1, plan.times); ++time) {
    Round round(session, plan, tape);
    round.run();
    if (!tape.refused.empty()) break;
  }
  return tape;
}

// The text of PyTorch 2.11 (torch/csrc/autograd/saved_variable.cpp), as tests/story/autograd.json has it.
std::string pytorch_refusal(const Tape& tape) {
  if (!tape.stopped_at || !tape.stopped_by) return {};
  const TapeNode& node = tape.nodes[*tape.stopped_at];
  const TapeSaved& saved = node.saved[*tape.stopped_by];
  std::string made_by;
  if (saved.argument == "result")
    made_by = node.name;
  else if (const TapeVariable* const variable = tape.find(saved.tensor); variable != nullptr)
    made_by = variable->grad_fn_at_backward;
  return fmt::format(
      "one of the variables needed for gradient computation has been modified by an inplace operation: "
      "[torch.DoubleTensor [{}]]{} is at version {}; expected version {} instead. Hint: enable anomaly detection to "
      "find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, "
      "check_nan=False).",
      fmt::join(saved.value.sizes, ", "), made_by.empty() ? "" : fmt::format(", which is output 0 of {},", made_by),
      tape.changed_version, saved.version);
}

}  // namespace warpwalk::story
