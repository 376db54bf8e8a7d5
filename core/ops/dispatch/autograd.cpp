#include "core/ops/dispatch/autograd.h"

#include <fmt/format.h>

namespace warpwalk::ops {

SavedTensor::SavedTensor(const Tensor& tensor) : tensor_(tensor.with(tensor.geometry())), version_(tensor.version()) {}

Tensor SavedTensor::use(const Node& node) const {
  if (tensor_.defined() && tensor_.version() != version_)
    throw OpError(
        fmt::format("{} needs a tensor ({} {}) that the op saved at version {}, but in-place changes have made it "
                    "version {}: change a clone of it, or run backward first",
                    node.name, shape_text(tensor_.sizes()), name_of(tensor_.dtype()), version_, tensor_.version()));
  return tensor_;
}

bool requires_grad(const Tensor& tensor) {
  if (!tensor.defined() || tensor.autograd() == nullptr) return false;
  return tensor.autograd()->requires_grad || tensor.autograd()->function != nullptr;
}

void set_requires_grad(Tensor& tensor) {
  if (!is_float(tensor.dtype()))
    throw OpError(fmt::format("a tensor of {} cannot require a gradient: only f16, bf16, f32 and f64 can",
                              name_of(tensor.dtype())));
  if (requires_grad(tensor)) {
    if (tensor.autograd()->function != nullptr)
      throw OpError(fmt::format("a result of {} is not a leaf: only a leaf can be set to require a gradient",
                                tensor.autograd()->function->name));
    return;
  }
  if (tensor.autograd() == nullptr) tensor.set_autograd(std::make_shared<AutogradMeta>());
  tensor.autograd()->requires_grad = true;
}

Tensor grad_of(const Tensor& tensor) { return tensor.autograd() == nullptr ? Tensor() : tensor.autograd()->grad; }

Edge edge_of(const Tensor& tensor) {
  if (!tensor.defined() || tensor.autograd() == nullptr) return {};
  AutogradMeta& meta = *tensor.autograd();
  if (meta.base.defined()) {
    const auto& base = meta.base.autograd();
    if ((base == nullptr ? nullptr : base->function) != meta.base_function)
      throw OpError(
          fmt::format("this view ({}) was taken before its base was changed in place by {}: take the view "
                      "again after the change",
                      shape_text(tensor.sizes()), base->function->name));
  }
  if (meta.function != nullptr) return {meta.function};
  if (!meta.requires_grad) return {};
  std::shared_ptr<Node> accumulator = meta.accumulator.lock();
  if (accumulator == nullptr) {
    accumulator = std::make_shared<Node>();
    accumulator->name = "torch::autograd::AccumulateGrad";
    accumulator->leaf = tensor;
    accumulator->sizes = tensor.sizes();
    accumulator->dtype = tensor.dtype();
    meta.accumulator = accumulator;
  }
  return {std::move(accumulator)};
}

Tensor summed_to(Dispatcher& dispatcher, const Tensor& gradient, const Sizes& sizes) {
  const Sizes& from = gradient.sizes();
  if (from == sizes) return gradient;
  bool fits = from.size() >= sizes.size();
  const std::size_t leading = fits ? from.size() - sizes.size() : 0;
  Sizes summed;
  for (std::size_t d = 0; fits && d < from.size(); ++d) {
    const bool extra = d < leading;
    fits = extra || sizes[d - leading] == from[d] || sizes[d - leading] == 1;
    if (extra || (sizes[d - leading] == 1 && from[d] != 1)) summed.push_back(static_cast<std::int64_t>(d));
  }
  if (!fits)
    throw OpError(fmt::format("a gradient of {} does not fit a tensor of {}, which cannot be broadcast to it",
                              shape_text(from), shape_text(sizes)));
  const Tensor sum = summed.empty() ? gradient : dispatcher.call("aten::sum.dim_IntList", {gradient, summed, true});
  return leading == 0 ? sum : dispatcher.call("aten::view", {sum, sizes});
}

void save(Node& node, const Call& call, std::size_t argument, bool needed) {
  const auto* const tensor =
      argument < call.arguments.size() ? std::get_if<Tensor>(&call.arguments[argument]) : nullptr;
  node.saved.push_back(needed && tensor != nullptr ? SavedTensor(*tensor) : SavedTensor());
}

}  // namespace warpwalk::ops
