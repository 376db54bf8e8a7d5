// Ops that only call others. Autograd sees those, and needs to know nothing of these (CompositeImplicitAutograd).
#include <numeric>

#include <fmt/format.h>

#include "core/ops/dispatch/library_parts.h"

namespace warpwalk::ops {
namespace {

Tensor reshape(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const Sizes sizes = inferred_sizes(call.sizes(1), self.count());
  if (viewed(self.geometry(), sizes)) return dispatcher.call("aten::view", {self, sizes});
  // Nobody else holds the copy, so that its view needs no protection against changes in place.
  return dispatcher.call("aten::_unsafe_view", {dispatcher.call("aten::clone", {self}), sizes});
}

Tensor contiguous(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  return self.geometry().contiguous() ? self : dispatcher.call("aten::clone", {self});
}

Tensor numpy_t(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  Sizes order(self.geometry().dims());
  std::iota(order.rbegin(), order.rend(), std::int64_t{0});
  return dispatcher.call("aten::permute", {self, order});
}

Tensor to_dtype(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  if (self.dtype() == call.dtype(1)) return self;
  return dispatcher.call("aten::_to_copy", {self, call.dtype(1)});
}

}  // namespace

void register_composites(Dispatcher& dispatcher) {
  dispatcher.add_composite("aten::reshape", "view, or clone and view", reshape);
  dispatcher.add_composite("aten::contiguous", "itself, or clone", contiguous);
  dispatcher.add_composite("aten::numpy_T", "permute: dimensions reversed", numpy_t);
  dispatcher.add_composite("aten::to.dtype", "itself, or _to_copy", to_dtype);
}

}  // namespace warpwalk::ops
