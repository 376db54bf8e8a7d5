#include "core/gpu/exec/shared_shadow.h"

#include <algorithm>
#include <bit>

namespace warpwalk::gpu {

namespace {

void join(SharedShadow::Clock& into, const SharedShadow::Clock& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(into[i], from[i]);
}

}  // namespace

SharedShadow::SharedShadow(std::uint32_t size, std::uint32_t warps) : bytes(size), warps_(warps) {
  for (WarpClock& warp : warps_) warp.clock.assign(warps, 0);
}

void SharedShadow::meet(std::uint64_t warps) {
  Clock all(warps_.size(), 0);
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    warps_[i].clock[i] = warps_[i].epoch;
    join(all, warps_[i].clock);
  }
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
    warps_[i].clock = all;
    ++warps_[i].epoch;
    lanes_meet(i, 0xffffffff);
  }
}

void SharedShadow::arrive(std::uint32_t warp, std::uint32_t barrier) {
  WarpClock& of = warps_[warp];
  of.clock[warp] = of.epoch;
  Clock& clock = arrivals_[barrier];
  clock.resize(warps_.size());
  join(clock, of.clock);
  ++of.epoch;
}

void SharedShadow::wait_for_arrivers(std::uint64_t warps, std::uint32_t barrier) {
  const auto found = arrivals_.find(barrier);
  if (found == arrivals_.end()) return;
  for (std::uint64_t left = warps; left != 0; left &= left - 1) {
    join(warps_[static_cast<std::size_t>(std::countr_zero(left))].clock, found->second);
  }
  arrivals_.erase(found);
}

void SharedShadow::lanes_meet(std::uint32_t warp, std::uint32_t mask) {
  WarpClock& of = warps_[warp];
  ++of.moment;
  for (std::uint32_t a = mask; a != 0; a &= a - 1) {
    auto& row = of.met[static_cast<std::size_t>(std::countr_zero(a))];
    for (std::uint32_t b = mask; b != 0; b &= b - 1) row[static_cast<std::size_t>(std::countr_zero(b))] = of.moment;
  }
}

void SharedShadow::release(std::uint32_t warp, std::uint32_t offset) {
  WarpClock& of = warps_[warp];
  of.clock[warp] = of.epoch;
  Clock& clock = places_[offset];
  clock.resize(warps_.size());
  join(clock, of.clock);
  ++of.epoch;
}

void SharedShadow::acquire(std::uint32_t warp, std::uint32_t offset) {
  const auto found = places_.find(offset);
  if (found != places_.end()) join(warps_[warp].clock, found->second);
}

bool SharedShadow::ordered(const Touch& before, std::uint32_t thread) const {
  if (before.thread == thread) return true;
  const std::uint32_t there = before.thread / 32, here = thread / 32;
  if (there != here) return before.epoch <= warps_[here].clock[there];
  return warps_[here].met[before.thread % 32][thread % 32] > before.moment;
}

Touch SharedShadow::now(std::uint32_t thread, std::uint32_t instruction, bool atomic) const {
  const WarpClock& of = warps_[thread / 32];
  return {thread, of.epoch, of.moment, instruction, atomic};
}

}  // namespace warpwalk::gpu
