// The cycles of launches, and the caches that one launch leaves to the next. Kernels, copies and memsets run in the
// order in which the program has submitted them, on one thread; only work that waits for a function of the program is
// overtaken (work.h). So do the caches change.
#include <algorithm>
#include <cmath>

#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/launch/cupti_time.h"
#include "core/run/launch/report.h"
#include "instrumentation/simulated/engine/gpu.h"
#include "instrumentation/simulated/engine/launch_likeness.h"
#include "instrumentation/simulated/engine/timed_memory.h"

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

bool are_equal(const gpu::Counters& a, const gpu::Counters& b) {
  const auto equal = [](const run::ReportCounter& one, const run::ReportCounter& other) {
    return one.value == other.value;
  };
  return std::ranges::equal(run::report_counters(a, false), run::report_counters(b, false), equal) &&
         a.global_atomic_sectors == b.global_atomic_sectors && a.issued_by_line == b.issued_by_line;
}

}  // namespace

double part_held(const gpu::CacheState& caches, std::span<const gpu::AccessedPage> pages) {
  constexpr std::uint64_t line_bytes = 128;
  std::uint64_t lines = 0, held = 0;
  for (const gpu::AccessedPage& page : pages) {
    lines += (page.bytes + line_bytes - 1) / line_bytes;
    held += caches.count_held({page.address, page.address + page.bytes});
  }
  return lines == 0 ? 0 : static_cast<double>(held) / static_cast<double>(lines);
}

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

bool Gpu::repeat_cycles(const std::string& likeness, const TimedLike& like, std::span<const gpu::AccessedPage> pages,
                        KernelRun& run, Outcome& outcome) {
  // If L2 holds a part of the memory, the time depends on which part it is.
  constexpr double comparable = 0.05;
  if (like.held > comparable && like.held < 1 - comparable) return false;
  const auto known = timed_.find(likeness);
  if (known == timed_.end()) return false;
  // The latest ones: the first launches of a program find other caches than those that follow.
  const auto same = std::find_if(known->second.rbegin(), known->second.rend(), [&](const TimedLike& earlier) {
    return std::abs(earlier.held - like.held) <= comparable && are_equal(earlier.counters, like.counters);
  });
  if (same == known->second.rend()) return false;
  run.cycles = same->cycles;
  run.scaled.cycles_of = same->correlation;
  outcome.duration = same->duration;
  caches_->begin_transfer();
  for (const gpu::AccessedPage& page : pages) caches_->pass({page.address, page.bytes, !page.before.empty(), false});
  return true;
}

void Gpu::time_kernel(const KernelLaunch& asked, gpu::Launch& launch, const DeviceMemory::View& view,
                      std::span<const gpu::AccessedPage> pages, bool inside, KernelRun& run, Outcome& outcome,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  std::string likeness;
  TimedLike like;
  if (!options.exact) {
    likeness = likeness_of(asked, view);
    like.counters = run.counters;
    like.held = part_held(*caches_, pages);
    if (!inside && repeat_cycles(likeness, like, pages, run, outcome)) {
      end_timed_launch(view, {});
      return;
    }
  }
  std::optional<gpu::CacheState> before;
  if (inside) before = caches_;
  gpu::TimingOptions how;
  how.state = &*caches_;
  // With one thread, the caches need no copy, which is more than a small launch takes.
  constexpr std::uint64_t worthwhile = 1 << 14;
  how.threads = run.counters.warp_instructions < worthwhile ? 1 : options.threads;
  how.progress = progress;
  const TimedMemory memory_before(launch, pages);
  const auto cycles = gpu::time_launch(device, **asked.kernel->program(), launch, how);
  if (cycles && !cycles->stopped) {
    take_cycles(*cycles, run, outcome);
    like.cycles = run.cycles, like.duration = outcome.duration, like.correlation = run.correlation;
    constexpr std::size_t most_states = 8;
    if (!options.exact) {
      std::vector<TimedLike>& known = timed_[likeness];
      if (known.size() == most_states) known.erase(known.begin());
      known.push_back(std::move(like));
    }
  }
  end_timed_launch(view, before);
}

void Gpu::take_cycles(const gpu::LaunchTiming& timing, KernelRun& run, Outcome& outcome) const {
  run.cycles = static_cast<std::uint64_t>(std::llround(timing.cycles));
  outcome.duration = std::max<std::int64_t>(1, std::llround(run::cupti_ns(device, timing, device.name)));
}

void Gpu::end_timed_launch(const DeviceMemory::View& view, const std::optional<gpu::CacheState>& before) {
  caches_->drop(host_memory_of(view));
  if (!before) return;
  const std::vector<std::uint8_t> caches = before->saved(*caches_);
  record_parts(recording_.last_inside, instrumentation::InsidePart::caches, 0, caches.data(), caches.size());
}

}  // namespace warpwalk::simulated
