#include "core/ops/library/library.h"

#include <string>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::ops {
namespace {

/// Redispatches to the backend that the device argument names, because a factory lacks tensor arguments.
Tensor select_backend(Dispatcher& dispatcher, const Call& call) {
  const std::int64_t device = call.integer(2);
  if (device != 0 && device != 1)
    throw OpError(fmt::format("{}: device {} is not known; 0 is cpu, 1 is cuda", call.name(), device));
  return dispatcher.redispatch(call, KeySet(device == 0 ? Key::CPU : Key::CUDA));
}

}  // namespace

void register_library(Dispatcher& dispatcher) {
  for (const OpDefinition& op : all_definitions()) {
    dispatcher.define(op.name, op.schema);
    if (op.factory)
      dispatcher.add(op.name, Key::BackendSelect, Registration::Kind::redispatch, "reads the device argument",
                     select_backend);
    if (op.by == OpDefinition::ComputedBy::explicit_composite)
      dispatcher.add_any_backend(op.name, std::string(op.how), op.function);
    if (op.by == OpDefinition::ComputedBy::implicit_composite)
      dispatcher.add_composite(op.name, std::string(op.how), op.function);
  }
}

void register_cpu(Dispatcher& dispatcher) {
  for (const OpDefinition& op : all_definitions())
    if (op.by == OpDefinition::ComputedBy::backends)
      dispatcher.add(op.name, Key::CPU, Registration::Kind::kernel, std::string(op.how), op.function);
}

}  // namespace warpwalk::ops
