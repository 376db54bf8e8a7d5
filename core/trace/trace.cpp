#include "core/trace/trace.h"

#include <memory>

namespace warpwalk::trace {

Trace::Trace() {
  const auto shared = std::make_shared<platform::TableMemory>();
  const auto use = [&](auto&... columns) { (columns.use(shared), ...); };
  use(slices.start, slices.duration, slices.name, slices.extra, slices.track, slices.detail, slices.parent,
      slices.kind);
  use(ops, python, calls, kernels, transfers, syncs, memory, instants, counters, flows);
  use(op_order, kernel_order, launched, driver_memory);
}
Trace::Trace(Trace&&) noexcept = default;
Trace& Trace::operator=(Trace&&) noexcept = default;
Trace::~Trace() = default;

std::string_view name_of(SliceKind kind) {
  switch (kind) {
    case SliceKind::python: return "Python frame";
    case SliceKind::op: return "op";
    case SliceKind::runtime: return "runtime call";
    case SliceKind::driver: return "driver call";
    case SliceKind::kernel: return "kernel";
    case SliceKind::memcpy: return "copy";
    case SliceKind::memset: return "fill";
    case SliceKind::sync: return "synchronisation";
    case SliceKind::annotation: return "annotation";
    case SliceKind::gpu_annotation: return "annotation on the GPU";
    case SliceKind::overhead: return "profiler overhead";
    case SliceKind::profiler: return "profiler span";
    case SliceKind::other: return "other";
  }
  return "";
}

std::size_t Slices::bytes() const {
  return start.bytes() + duration.bytes() + name.bytes() + extra.bytes() + track.bytes() + detail.bytes() +
         parent.bytes() + kind.bytes();
}

std::size_t Trace::bytes() const {
  return strings.bytes() + slices.bytes() + ops.bytes() + python.bytes() + calls.bytes() + kernels.bytes() +
         transfers.bytes() + syncs.bytes() + memory.bytes() + instants.bytes() + counters.bytes() + flows.bytes() +
         op_order.bytes() + kernel_order.bytes() + launched.bytes() + driver_memory.bytes() +
         tracks.capacity() * sizeof(Track);
}

}  // namespace warpwalk::trace
