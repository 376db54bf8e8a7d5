#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"

/// Copies complete immediately (handlers::copy_async), so only the sanitizer needs the waits.
namespace warpwalk::gpu::handlers {

void commit_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  for_lanes(m.executing_lanes(op), [&](int lane) { m.block->shadow->commit_copies(m.shadow_thread(lane)); });
}

void wait_for_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  const auto pending = static_cast<std::uint32_t>(op.immediate);
  for_lanes(m.executing_lanes(op), [&](int lane) { m.block->shadow->wait_for_copies(m.shadow_thread(lane), pending); });
}

void wait_for_all_copies(Machine& m, const Op& op) {
  if (m.sanitizer == nullptr) return;
  for_lanes(m.executing_lanes(op), [&](int lane) { m.block->shadow->wait_for_all_copies(m.shadow_thread(lane)); });
}

}  // namespace warpwalk::gpu::handlers
