#include "core/gpu/exec/shadow/shared_shadow.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpwalk::gpu {

namespace {

/// Copy completions and groups kept per thread: more than the number of stages of any pipeline.
constexpr std::size_t completion_limit = 64;
/// Joins the last epochs or batches, by warp, thread or channel.
void join_last(std::vector<std::uint32_t>& batches, const std::vector<std::uint32_t>& others) {
  if (batches.size() < others.size()) batches.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) batches[i] = std::max(batches[i], others[i]);
}

/// Maximum number of distinct uninitialised reads kept per block. Further ones are ignored.
constexpr std::size_t unwritten_limit = 1 << 16;

}  // namespace

void SharedShadow::Clock::join(const Clock& other) {
  join_last(warps, other.warps);
  others.join(other.others);
  published.join(other.published);
  join_last(copies, other.copies);
  join_last(completed, other.completed);
  join_last(fenced_for_proxy, other.fenced_for_proxy);
}

SharedShadow::SharedShadow(std::uint32_t size, std::uint32_t warps) : bytes(size), warps_(warps), split_(size / 4 + 1) {
  for (WarpClock& warp : warps_) {
    warp.clock.warps.assign(warps, 0);
    warp.fenced = warp.seen = warp.clock;
  }
}

int SharedShadow::piece_at(std::uint32_t offset, int count) {
  const std::uint32_t word = offset / 4;
  if (split_[word]) return 1;
  if (offset % 4 == 0 && count >= 4) return 4;
  split_[word] = true;
  for (std::size_t i = word * 4 + 1; i < std::min<std::size_t>(word * 4 + 4, bytes.size()); ++i)
    bytes[i] = bytes[word * 4];
  return 1;
}

void SharedShadow::synchronize_warps(std::uint64_t warps, std::uint32_t first) {
  Clock all;
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    const std::size_t i = first + static_cast<std::size_t>(std::countr_zero(left));
    WarpClock& of = warps_[i];
    of.clock.warps[i] = of.epoch;
    // Kernels that wait for other blocks often have a barrier but no fence after the wait.
    of.clock.others.join(of.seen.others);
    all.join(of.clock);
  }
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    const std::uint32_t i = first + static_cast<std::uint32_t>(std::countr_zero(left));
    warps_[i].clock = warps_[i].fenced = all;
    ++warps_[i].epoch;
    warps_[i].exits = exits_;
    synchronize_lanes(i, 0xffffffff);
  }
}

void SharedShadow::end_warp(std::uint32_t warp) {
  exits_.resize(warps_.size());
  exits_[warp] = warps_[warp].epoch;
}

bool SharedShadow::is_before_exit(std::uint32_t before, std::uint32_t epoch, std::uint32_t thread) const {
  const std::vector<std::uint32_t>& exits = warps_[thread / 32].exits;
  return before / 32 < exits.size() && epoch <= exits[before / 32];
}

void SharedShadow::arrive(std::uint32_t warp, std::uint32_t barrier) {
  WarpClock& of = warps_[warp];
  of.clock.warps[warp] = of.epoch;
  arrivals_[barrier].join(of.clock);
  ++of.epoch;
}

void SharedShadow::wait_for_arrivers(std::uint64_t warps, std::uint32_t barrier, std::uint32_t first) {
  const auto found = arrivals_.find(barrier);
  if (found == arrivals_.end()) return;
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    warps_[first + static_cast<std::size_t>(std::countr_zero(left))].clock.join(found->second);
  }
  arrivals_.erase(found);
}

void SharedShadow::arrive_at_cluster(std::uint32_t warp, std::uint32_t phase, bool relaxed) {
  WarpClock& of = warps_[warp];
  of.clock.warps[warp] = of.epoch;
  ClusterPhase& at = cluster_phases_[phase % 2];
  if (at.phase != phase) at = {phase, {}};
  at.clock.join(relaxed ? of.fenced : of.clock);
  ++of.epoch;
}

void SharedShadow::leave_cluster_barrier(std::uint32_t warp, std::uint32_t phase) {
  const ClusterPhase& at = cluster_phases_[phase % 2];
  if (at.phase != phase) return;
  WarpClock& of = warps_[warp];
  of.clock.join(at.clock);
  of.clock.warps[warp] = of.epoch;
  of.fenced = of.clock;
  ++of.epoch;
  synchronize_lanes(warp, 0xffffffff);
}

bool SharedShadow::is_known_to(const Touch& touch, std::uint32_t first, std::uint32_t count) const {
  for (std::uint32_t warp = first; warp < first + count; ++warp)
    if (touch.epoch <= warps_[warp].clock.warps[touch.thread / 32]) return true;
  return false;
}

void SharedShadow::synchronize_lanes(std::uint32_t warp, std::uint32_t mask) {
  WarpClock& of = warps_[warp];
  ++of.epoch;
  if (mask == 0xffffffff) {
    of.last_full_sync = of.epoch;
    return;
  }
  for (std::uint32_t a = mask; a != 0; a &= a - 1) {
    auto& row = of.last_sync[static_cast<std::size_t>(std::countr_zero(a))];
    for (std::uint32_t b = mask; b != 0; b &= b - 1) row[static_cast<std::size_t>(std::countr_zero(b))] = of.epoch;
  }
}

void SharedShadow::fence(std::uint32_t warp) {
  WarpClock& of = warps_[warp];
  of.clock.join(of.seen);
  of.clock.warps[warp] = of.epoch;
  of.fenced = of.clock;
  ++of.epoch;
  // The lanes that the fence orders are unknown. Assume all, so that a lock between lanes of one warp causes no false
  // findings.
  if (std::exchange(of.observed_own_release, false)) synchronize_lanes(warp, 0xffffffff);
}

void SharedShadow::publish(std::uint32_t warp, KnownBlocks clock) {
  WarpClock& of = warps_[warp];
  of.clock.published = of.fenced.published = std::move(clock);
}

void SharedShadow::release_at(std::uint32_t warp, std::uint64_t place, bool at_once) {
  if (at_once) fence(warp);
  places_[place].join(warps_[warp].fenced);
}

void SharedShadow::acquire_at(std::uint32_t warp, std::uint64_t place, bool at_once) {
  const auto found = places_.find(place);
  if (found == places_.end()) return;
  warps_[warp].seen.join(found->second);
  if (found->second.warps[warp] != 0) warps_[warp].observed_own_release = true;
  if (at_once) fence(warp);
}

SharedShadow::Copies& SharedShadow::copies_of(std::uint32_t thread) {
  if (copies_.empty()) copies_.resize(warps_.size() * 32);
  return copies_[thread];
}

void SharedShadow::complete_copies(std::uint32_t thread, std::uint32_t batch) {
  Copies& of = copies_of(thread);
  auto& known = of.completions;
  if (batch <= (known.empty() ? of.last_forgotten_batch : known.back().batch)) return;
  const WarpClock& warp = warps_[thread / 32];
  known.push_back({batch, warp.epoch});
  if (known.size() <= completion_limit) return;
  of.last_forgotten_batch = known.front().batch;
  known.erase(known.begin());
}

void SharedShadow::commit_copies(std::uint32_t thread) {
  Copies& of = copies_of(thread);
  if (of.groups.size() == completion_limit) of.groups.erase(of.groups.begin());
  of.groups.push_back(of.open++);
}

void SharedShadow::wait_for_copies(std::uint32_t thread, std::uint32_t pending) {
  const std::vector<std::uint32_t>& groups = copies_of(thread).groups;
  if (groups.size() > pending) complete_copies(thread, groups[groups.size() - 1 - pending]);
}

void SharedShadow::wait_for_all_copies(std::uint32_t thread) {
  commit_copies(thread);
  wait_for_copies(thread, 0);
}

void SharedShadow::track_copies(std::uint32_t thread, std::uint32_t mbarrier, bool odd_phase) {
  std::vector<std::uint32_t>& batches = tracked_[mbarrier * 2 + (odd_phase ? 1 : 0)];
  batches.resize(warps_.size() * 32);
  batches[thread] = copies_of(thread).open++;
}

void SharedShadow::see_phase_completed(std::uint32_t warp, std::uint32_t mbarrier, bool odd_phase) {
  const auto found = tracked_.find(mbarrier * 2 + (odd_phase ? 1 : 0));
  if (found != tracked_.end()) join_last(warps_[warp].clock.copies, found->second);
}

std::uint32_t SharedShadow::channel(ChannelKind kind, std::uint32_t index) {
  return channels_.try_emplace({kind, index}, static_cast<std::uint32_t>(channels_.size())).first->second;
}

std::uint32_t SharedShadow::phase_of(std::uint32_t mbarrier, bool odd) {
  Phase& phase = phases_[mbarrier];
  if (phase.odd != odd) ++phase.number;
  phase.odd = odd;
  return phase.number;
}

void SharedShadow::complete(std::uint32_t warp, std::uint32_t channel, std::uint32_t batch) {
  std::vector<std::uint32_t>& completed = warps_[warp].clock.completed;
  if (completed.size() <= channel) completed.resize(channel + 1);
  completed[channel] = std::max(completed[channel], batch);
}

bool SharedShadow::is_complete(std::uint32_t warp, std::uint32_t channel, std::uint32_t batch) const {
  const std::vector<std::uint32_t>& completed = warps_[warp].clock.completed;
  return channel < completed.size() && batch <= completed[channel];
}

std::uint32_t SharedShadow::open_bulk_group(std::uint32_t thread) {
  return bulk_groups_.try_emplace(thread, 1).first->second;
}

void SharedShadow::commit_bulk_group(std::uint32_t thread) { ++bulk_groups_.try_emplace(thread, 1).first->second; }

void SharedShadow::wait_for_bulk_groups(std::uint32_t thread, std::uint32_t pending, bool only_reads) {
  const std::uint32_t committed = open_bulk_group(thread) - 1;
  if (committed <= pending) return;
  complete(thread / 32, channel(ChannelKind::bulk_reads, thread), committed - pending);
  if (!only_reads) complete(thread / 32, channel(ChannelKind::bulk_group, thread), committed - pending);
}

void SharedShadow::synchronize_warp_group(std::uint64_t warps, std::uint32_t first, std::uint32_t channel) {
  std::vector<std::uint32_t> known;
  const auto each = [&](auto visit) {
    for (std::uint64_t left = warps; left != 0; left &= left - 1)
      visit(warps_[first + static_cast<std::size_t>(std::countr_zero(left))]);
  };
  each([&](const WarpClock& warp) {
    known.push_back(channel < warp.clock.completed.size() ? warp.clock.completed[channel] : 0);
  });
  synchronize_warps(warps, first);
  std::size_t next = 0;
  each([&](WarpClock& warp) {
    const std::uint32_t own = known[next++];
    for (Clock* const clock : {&warp.clock, &warp.fenced})
      if (channel < clock->completed.size()) clock->completed[channel] = own;
  });
}

void SharedShadow::fence_for_proxy(std::uint32_t warp) {
  WarpClock& of = warps_[warp];
  of.clock.warps[warp] = of.epoch;
  join_last(of.clock.fenced_for_proxy, of.clock.warps);
  of.fenced.fenced_for_proxy = of.clock.fenced_for_proxy;
  ++of.epoch;
}

bool SharedShadow::is_fenced_for_proxy(const Touch& write, std::uint32_t warp) const {
  const std::vector<std::uint32_t>& fenced = warps_[warp].clock.fenced_for_proxy;
  return write.thread / 32 < fenced.size() && write.epoch <= fenced[write.thread / 32];
}

bool SharedShadow::happens_before(const Touch& before, std::uint32_t thread) const {
  if (uses_async_proxy(before.by)) return is_complete(thread / 32, before.channel, before.batch);
  std::uint32_t epoch = before.epoch;
  if (before.by == AccessedBy::copy) {
    // The write counts as done when its thread has waited for it, or this one for the mbarrier that tracks it; on a GPU
    // it may happen at any time before that.
    const Copies& of = copies_[before.thread];
    const std::vector<std::uint32_t>& by_mbarrier = warps_[thread / 32].clock.copies;
    if (before.batch <= of.last_forgotten_batch) return true;
    if (before.thread < by_mbarrier.size() && before.batch <= by_mbarrier[before.thread]) return true;
    const auto done = std::find_if(of.completions.begin(), of.completions.end(),
                                   [&](const Completion& completion) { return completion.batch >= before.batch; });
    if (done == of.completions.end()) return false;
    epoch = done->epoch;
  }
  return is_ordered(before.thread, epoch, thread);
}

bool SharedShadow::is_ordered(std::uint32_t before, std::uint32_t epoch, std::uint32_t thread) const {
  if (before == thread) return true;
  const WarpClock& here = warps_[thread / 32];
  if (before / 32 != thread / 32) return epoch <= here.clock.warps[before / 32];
  return std::max(here.last_full_sync, here.last_sync[before % 32][thread % 32]) > epoch;
}

Touch SharedShadow::make_touch(std::uint32_t thread, std::uint32_t instruction, bool atomic, AccessedBy by) {
  Touch touch{.thread = thread, .epoch = warps_[thread / 32].epoch, .execution = instant_, .instruction = instruction};
  if (by == AccessedBy::copy) touch.batch = copies_of(thread).open;
  touch.by = by;
  touch.atomic = atomic;
  return touch;
}

void SharedShadow::read_unwritten(const Touch& read, std::uint32_t offset, std::uint32_t which) {
  const std::uint32_t first = offset + static_cast<std::uint32_t>(std::countr_zero(which));
  for (const std::uint32_t index : unwritten_at_[first]) {
    UnwrittenRead& known = unwritten_[index];
    if (known.read.thread != read.thread || known.read.instruction != read.instruction) continue;
    ++known.count;
    return;
  }
  if (unwritten_.size() >= unwritten_limit) return;
  for (std::uint32_t left = which; left != 0; left &= left - 1) {
    unwritten_at_[offset + static_cast<std::uint32_t>(std::countr_zero(left))].push_back(
        static_cast<std::uint32_t>(unwritten_.size()));
  }
  unwritten_.push_back({read, first, 1, false});
}

void SharedShadow::written(const Touch& write, std::uint32_t offset) {
  if (unwritten_at_.empty()) return;
  const auto found = unwritten_at_.find(offset);
  if (found == unwritten_at_.end()) return;
  std::erase_if(found->second, [&](std::uint32_t index) {
    UnwrittenRead& known = unwritten_[index];
    if ((write.atomic && known.read.atomic) || happens_before(known.read, write.thread)) return false;
    return known.raced = true;
  });
}

}  // namespace warpwalk::gpu
