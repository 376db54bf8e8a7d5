// Autocast: which ops run in a smaller type, and which must not. The lists of PyTorch's aten/src/ATen/autocast_mode.h,
// as far as the ops exist here. Casts are not cached: a weight that is used twice is cast twice.
#include <algorithm>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/library/library.h"

namespace warpwalk::ops {
namespace {

bool eligible(const Argument& argument) {
  const auto* const tensor = std::get_if<Tensor>(&argument);
  return tensor != nullptr && tensor->defined() && is_float(tensor->dtype()) && tensor->dtype() != DType::f64;
}

// Casts with autocast off but recording on, since the casts have gradients, and continues with the op.
Tensor with_inputs(Dispatcher& dispatcher, const Call& call, DType dtype) {
  const Dispatcher::Guard guard(dispatcher, {}, autocast_keys());
  Call cast = call;
  for (Argument& argument : cast.arguments)
    if (eligible(argument)) argument = dispatcher.call("aten::to.dtype", {argument, dtype});
  return dispatcher.redispatch(cast, call.keys - autocast_keys());
}

// Neither f16 nor bf16 can represent the other's values.
Tensor with_widest(Dispatcher& dispatcher, const Call& call, DType low) {
  const bool wide = std::ranges::any_of(call.arguments, [](const Argument& argument) {
    return eligible(argument) && std::get<Tensor>(argument).dtype() == DType::f32;
  });
  return with_inputs(dispatcher, call, wide ? DType::f32 : low);
}

}  // namespace

void register_autocast(Dispatcher& dispatcher, DType low) {
  if (low != DType::f16 && low != DType::bf16)
    throw OpError(fmt::format("autocast to {} is not supported: use f16 or bf16", name_of(low)));
  const auto add = [&](std::string_view op, std::string name, const Function& function) {
    for (const Key key : {Key::AutocastCPU, Key::AutocastCUDA})
      dispatcher.add(op, key, Registration::Kind::redispatch, name, function);
  };
  for (const OpDefinition& op : all_definitions()) switch (op.autocast) {
      case Autocast::unchanged: break;
      case Autocast::low_precision:
        add(op.name, fmt::format("casts inputs to {}", name_of(low)),
            [low](Dispatcher& d, const Call& call) { return with_inputs(d, call, low); });
        break;
      case Autocast::f32:
        add(op.name, "casts inputs to f32",
            [](Dispatcher& d, const Call& call) { return with_inputs(d, call, DType::f32); });
        break;
      case Autocast::widest:
        add(op.name, "casts inputs to the widest type",
            [low](Dispatcher& d, const Call& call) { return with_widest(d, call, low); });
        break;
    }
}

}  // namespace warpwalk::ops
