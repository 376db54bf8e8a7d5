// Views: nothing is computed and nothing allocated, whatever the backend.
#include <fmt/format.h>

#include "core/ops/dispatch/library_parts.h"

namespace warpwalk::ops {
namespace {

Tensor view(Dispatcher&, const Call& call) {
  const Tensor& self = call.tensor(0);
  const Sizes& sizes = call.sizes(1);
  auto geometry = viewed(self.geometry(), sizes);
  if (!geometry)
    throw OpError(
        fmt::format("{}: the strides of this {} tensor allow no view of sizes {}; reshape copies where needed",
                    call.name(), shape_text(self.sizes()), shape_text(inferred_sizes(sizes, self.count()))));
  return self.with(std::move(*geometry));
}

Tensor t(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  const std::size_t dims = self.geometry().dims();
  if (dims > 2)
    throw OpError(fmt::format("{}: {} has {} dimensions, t takes up to 2; transpose or permute take more", call.name(),
                              shape_text(self.sizes()), dims));
  if (dims < 2) return self.with(self.geometry());
  return dispatcher.call("aten::transpose.int", {self, std::int64_t{0}, std::int64_t{1}});
}

Tensor slice(Dispatcher&, const Call& call) {
  const Tensor& self = call.tensor(0);
  return self.with(sliced(self.geometry(), call.optional_integer(1).value_or(0), call.optional_integer(2),
                          call.optional_integer(3), call.optional_integer(4).value_or(1)));
}

}  // namespace

void register_views(Dispatcher& dispatcher) {
  const auto add = [&](std::string_view op, Function function) {
    dispatcher.add_any_backend(op, "another view, same storage", std::move(function));
  };
  const auto add_geometry = [&](std::string_view op, Geometry (*change)(const Call&, const Geometry&)) {
    add(op, [change](Dispatcher&, const Call& call) {
      const Tensor& self = call.tensor(0);
      return self.with(change(call, self.geometry()));
    });
  };
  add("aten::view", view);
  add("aten::_unsafe_view", view);
  add("aten::slice.Tensor", slice);
  dispatcher.add_any_backend("aten::t", "transposes two dimensions", t);
  add_geometry("aten::transpose.int",
               [](const Call& call, const Geometry& g) { return transposed(g, call.integer(1), call.integer(2)); });
  add_geometry("aten::permute", [](const Call& call, const Geometry& g) { return permuted(g, call.sizes(1)); });
  add_geometry("aten::select.int",
               [](const Call& call, const Geometry& g) { return selected(g, call.integer(1), call.integer(2)); });
  add_geometry("aten::expand", [](const Call& call, const Geometry& g) { return expanded(g, call.sizes(1)); });
  add_geometry("aten::squeeze.dim", [](const Call& call, const Geometry& g) { return squeezed(g, call.integer(1)); });
  add_geometry("aten::unsqueeze", [](const Call& call, const Geometry& g) { return unsqueezed(g, call.integer(1)); });
  add_geometry("aten::detach", [](const Call&, const Geometry& g) { return g; });
}

}  // namespace warpwalk::ops
