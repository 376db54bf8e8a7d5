// The cycles of launches, and the caches that one launch leaves to the next. Kernels, copies and memsets run in the
// order in which the program has submitted them, on one thread; only work that waits for a function of the program is
// overtaken (work.h). So do the caches change.
#include <cmath>

#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/record/record_rows.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {
namespace {

/// The memory of the host that kernels can access, by address.
std::vector<gpu::ByteRange> host_memory_of(const DeviceMemory::View& view) {
  std::vector<gpu::ByteRange> ranges;
  for (const DeviceMemory::Place& place : view.places)
    if (place->kind == MemoryKind::pinned || place->kind == MemoryKind::registered)
      ranges.push_back({place->address, place->address + place->bytes});
  return ranges;
}

}  // namespace

void Gpu::pass_through_caches(const Transferred& from, const Transferred& to,
                              const std::array<std::uint64_t, 3>& extent) {
  using Place = Transferred::Place;
  const bool reads = from.place == Place::device, writes = to.place == Place::device;
  if (!caches_ || (!reads && !writes)) return;
  // Rows without a gap are one.
  std::array<std::uint64_t, 3> rows = extent;
  const auto joined = [&](const Transferred& side) { return side.place != Place::device || side.pitch == extent[0]; };
  if (joined(from) && joined(to)) rows = {extent[0] * extent[1], 1, extent[2]};
  caches_->begin_transfer();
  for (std::uint64_t z = 0; z < rows[2]; ++z)
    for (std::uint64_t y = 0; y < rows[1]; ++y) {
      const std::uint64_t source = from.address + y * from.pitch + z * from.slice;
      const std::uint64_t target = to.address + y * to.pitch + z * to.slice;
      if (reads && writes)
        caches_->copy_within(source, target, rows[0]);
      else
        caches_->pass(
            {writes ? target : source, rows[0], writes, from.place == Place::host || to.place == Place::host});
    }
}

void Gpu::time_kernel(const gpu::Program& program, gpu::Launch& launch, const DeviceMemory::View& view, bool inside,
                      KernelRun& run, Outcome& outcome,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  std::optional<gpu::CacheState> before;
  if (inside) before = caches_;
  gpu::TimingOptions how;
  how.state = &*caches_;
  how.threads = options.threads;
  how.progress = progress;
  const auto cycles = gpu::time_launch(device, program, launch, how);
  if (cycles && !cycles->stopped) take_cycles(*cycles, run, outcome);
  end_timed_launch(view, before);
}

void Gpu::take_cycles(const gpu::LaunchTiming& timing, KernelRun& run, Outcome& outcome) const {
  run.cycles = static_cast<std::uint64_t>(std::llround(timing.cycles));
  outcome.duration = run::kernel_ns(device, timing);
}

void Gpu::end_timed_launch(const DeviceMemory::View& view, const std::optional<gpu::CacheState>& before) {
  caches_->drop(host_memory_of(view));
  if (!before) return;
  const std::vector<std::uint8_t> caches = before->saved(*caches_);
  record_parts(recording_.last_inside, instrumentation::InsidePart::caches, 0, caches.data(), caches.size());
}

}  // namespace warpwalk::simulated
