// The functions registered under the autograd and ADInplaceOrView keys.
#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/library/library.h"

namespace warpwalk::ops {
namespace {

const Tensor* tensor_at(const Call& call, std::size_t argument) {
  return argument < call.arguments.size() ? std::get_if<Tensor>(&call.arguments[argument]) : nullptr;
}

bool needs_node(const Derivative& rule, const Call& call) {
  for (const std::size_t input : rule.inputs)
    if (const Tensor* const tensor = tensor_at(call, input); tensor != nullptr && requires_grad(*tensor)) return true;
  return false;
}

// A changed tensor gets a new history. A leaf would lose its gradient, and for a view the history of the base and of
// its other views would have to change too.
void check_in_place(const Call& call) {
  const Tensor& self = call.tensor(0);
  const auto& meta = self.autograd();
  if (!is_float(self.dtype()))
    throw OpError(
        fmt::format("{}: the values written require a gradient, but a tensor of {} cannot have one: cast the tensor, "
                    "or detach the values",
                    call.name(), name_of(self.dtype())));
  if (meta != nullptr && meta->requires_grad)
    throw OpError(
        fmt::format("{}: a leaf that requires a gradient cannot be changed in place: change it while gradients "
                    "are off, or compute a new tensor",
                    call.name()));
  if (meta != nullptr && meta->base.defined())
    throw OpError(
        fmt::format("{}: an in-place change of a view ({}) is not recorded for backward: change the whole tensor, or "
                    "compute a new one",
                    call.name(), shape_text(self.sizes())));
}

std::shared_ptr<Node> begin_node(const Derivative& rule, Dispatcher& dispatcher, const Call& call) {
  auto node = std::make_shared<Node>();
  node->name = rule.node;
  for (const std::size_t input : rule.inputs) {
    const Tensor* const tensor = tensor_at(call, input);
    node->next.push_back(tensor == nullptr ? Edge() : edge_of(*tensor));
  }
  if (rule.needs_old_self && wanted(*node, 1)) {
    const NoGrad off(dispatcher);
    Call before = call;
    before.arguments[0] = dispatcher.call("aten::clone", {call.tensor(0)});
    node->apply = rule.record(before, *node);
  } else {
    node->apply = rule.record(call, *node);
  }
  node->sequence = dispatcher.take_sequence();
  if (dispatcher.observer() != nullptr) dispatcher.observer()->recorded_for_backward(node->sequence);
  return node;
}

void end_node(const Derivative& rule, const std::shared_ptr<Node>& node, Tensor& result) {
  if (!is_float(result.dtype())) return;
  if (rule.saves_result) node->saved.emplace_back(result);
  node->sizes = result.sizes();
  node->dtype = result.dtype();
  if (result.autograd() == nullptr) result.set_autograd(std::make_shared<AutogradMeta>());
  result.autograd()->function = node;
}

// Excludes the autograd keys for this op and everything that its function calls. Views and in-place ops still need
// ADInplaceOrView; other ops do not, because the tensors inside them are not visible to the user.
Tensor go_on(const Derivative& rule, Dispatcher& dispatcher, const Call& call) {
  KeySet done = autograd_keys();
  if (rule.kind == Derivative::Kind::plain) done = done | KeySet(Key::ADInplaceOrView);
  const Dispatcher::Guard guard(dispatcher, {}, done);
  return dispatcher.redispatch(call, call.keys - autograd_keys());
}

Tensor record(const Derivative& rule, Dispatcher& dispatcher, const Call& call) {
  if (!dispatcher.grad_enabled() || !needs_node(rule, call)) return go_on(rule, dispatcher, call);
  if (rule.kind == Derivative::Kind::in_place) check_in_place(call);
  const std::shared_ptr<Node> node = begin_node(rule, dispatcher, call);
  Tensor result = go_on(rule, dispatcher, call);
  end_node(rule, node, result);
  return result;
}

Tensor below(Dispatcher& dispatcher, const Call& call) {
  const Dispatcher::Guard guard(dispatcher, {}, KeySet(Key::ADInplaceOrView));
  return dispatcher.redispatch(call, call.keys.below(Key::ADInplaceOrView));
}

Tensor note_view(Dispatcher& dispatcher, const Call& call) {
  Tensor result = below(dispatcher, call);
  const Tensor& self = call.tensor(0);
  auto meta = std::make_shared<AutogradMeta>();
  const auto& of_self = self.autograd();
  meta->base = of_self != nullptr && of_self->base.defined() ? of_self->base : self;
  if (const auto& of_base = meta->base.autograd(); of_base != nullptr) meta->base_function = of_base->function;
  result.set_autograd(std::move(meta));
  return result;
}

Tensor note_change(Dispatcher& dispatcher, const Call& call) {
  Tensor result = below(dispatcher, call);
  result.storage()->changed_in_place();
  return result;
}

std::string described(const Derivative& rule) {
  return rule.keeps.empty() ? fmt::format("tape: {}", rule.node)
                            : fmt::format("tape: {}, keeps {}", rule.node, rule.keeps);
}

}  // namespace

void register_autograd(Dispatcher& dispatcher) {
  for (const OpDefinition& op : all_definitions()) {
    if (!op.derivative) continue;
    const Derivative& rule = *op.derivative;
    const Function function = [rule](Dispatcher& d, const Call& call) { return record(rule, d, call); };
    for (const Key key : {Key::AutogradCPU, Key::AutogradCUDA})
      dispatcher.add(op.name, key, Registration::Kind::redispatch, described(rule), function);
    if (rule.kind == Derivative::Kind::view)
      dispatcher.add(op.name, Key::ADInplaceOrView, Registration::Kind::redispatch, "records the base of the view",
                     note_view);
    if (rule.kind == Derivative::Kind::in_place)
      dispatcher.add(op.name, Key::ADInplaceOrView, Registration::Kind::redispatch, "increments the version counter",
                     note_change);
  }
}

}  // namespace warpwalk::ops
