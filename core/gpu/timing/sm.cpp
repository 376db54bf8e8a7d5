#include "core/gpu/timing/sm.h"

#include <algorithm>
#include <cmath>

namespace warpwalk::gpu {

namespace {

bool is_throttle(StallReason reason) {
  constexpr auto bit = [](StallReason one) { return std::uint32_t{1} << static_cast<unsigned>(one); };
  constexpr std::uint32_t throttles =
      bit(StallReason::mio_throttle) | bit(StallReason::lg_throttle) | bit(StallReason::tex_throttle);
  return (bit(reason) & throttles) != 0;
}

}  // namespace

Sm::Sm(const SmContext& context, std::uint16_t id)
    : context_(context),
      timing_(context.timing),
      id_(id),
      slots_(static_cast<std::size_t>(context.timing.warps_per_sm)),
      check_at_(slots_.size(), never),
      subs_(static_cast<std::size_t>(context.timing.sub_partitions)),
      fetch_(context.timing, context.instructions.size() / 8 + 1, context.caches),
      constants_(context.constant_lines, -1),
      candidates_(slots_.size()),
      recent_stores_(static_cast<std::size_t>(context.timing.store_merge_lines)),
      l1_(context.l1_lines, static_cast<unsigned>(std::max(1.0, context.timing.l1_ways))),
      pending_(1) {}  // request 0 gets no response

std::int64_t Sm::next_cycle() const {
  std::int64_t next = never;
  for (const SubPartition& sub : subs_) next = std::min(next, sub.next);
  return next;
}

void Sm::add_event(double time, Event::Kind kind, std::uint16_t slot, std::uint32_t a) {
  events_.push({time, ++event_order_, a, slot, kind});
}

void Sm::start(BlockState& block, double at) {
  if (recorder != nullptr) recorder->block_started(id_, block.index, at);
  auto resident = std::ranges::find(blocks_, nullptr, &ResidentBlock::block);
  if (resident == blocks_.end()) resident = blocks_.insert(blocks_.end(), ResidentBlock{});
  *resident = {&block, static_cast<std::uint32_t>(block.warps.size())};
  // Warps go to the sub-partitions in turn. If a block fills all of them evenly, the next one still begins with another
  // (tests/cuda/microbench, schedulers), so the first warps of all blocks do not share a scheduler.
  const std::size_t first = next_sub_;
  const std::size_t rest = block.warps.size() % subs_.size();
  next_sub_ = (first + (rest == 0 ? 1 : rest)) % subs_.size();
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    std::size_t number = slots_.size();
    for (std::size_t k = 0; k < subs_.size() && number == slots_.size(); ++k)
      for (std::size_t i = (first + w + k) % subs_.size(); i < slots_.size(); i += subs_.size())
        if (slots_[i].warp == nullptr) {
          number = i;
          break;
        }
    Slot& slot = slots_[number];
    slot = {};
    slot.number = static_cast<std::uint16_t>(number);
    slot.sub = static_cast<std::uint8_t>(number % subs_.size());
    slot.place = static_cast<std::uint8_t>(number / subs_.size());
    set_check(slot, never);
    slot.block = &block;
    slot.warp = &block.warps[w];
    slot.resident_block = static_cast<std::uint32_t>(resident - blocks_.begin());
    slot.age = ++ages_;
    add_event(launch_.take(at, timing_.warp_interval), Event::Kind::start_warp, static_cast<std::uint16_t>(number));
  }
}

void Sm::count_residents(double at, int change) {
  const double cycles = at - residents_since_;
  if (resident_ > 0) counters_.active += cycles;
  counters_.warp_cycles += cycles * resident_;
  residents_since_ = at;
  resident_ += change;
}

WarpPlace Sm::place_of(const Slot& slot) const { return {slot.number, slot.warp->id, slot.block->index}; }

void Sm::count_reason(Slot& slot, std::int64_t now) {
  if (now <= slot.since) return;
  const auto cycles = static_cast<std::uint64_t>(now - slot.since);
  counters_.stalls[static_cast<std::size_t>(slot.reason)] += cycles;
  (*by_instruction_)[slot.at][static_cast<std::size_t>(slot.reason)] += cycles;
  if (observer != nullptr) observer->spent(place_of(slot), slot.since, now, slot.reason, slot.at);
  slot.since = now;
}

void Sm::set_reason(Slot& slot, StallReason reason, std::int64_t now) {
  const bool same = slot.reason == reason;
  if (same && observer == nullptr) return;
  count_reason(slot, now);
  if (same) return;
  if (is_throttle(reason) != is_throttle(slot.reason)) subs_[slot.sub].throttled += is_throttle(reason) ? 1 : -1;
  slot.reason = reason;
}

void Sm::set_waits(Slot& slot, bool waits) {
  waiting_ += (waits ? 1 : 0) - (slot.waits ? 1 : 0);
  slot.waits = waits;
}

void Sm::wake(std::uint16_t number, double at) {
  Slot& slot = slots_[number];
  // It has waited for long, so its state may have left the host's caches.
  __builtin_prefetch(slot.warp);
  __builtin_prefetch(&slot.warp->splits);
  const std::int64_t cycle = std::max(cycle_of(at), slot.ready_at);
  set_check(slot, std::min(check_at_[number], cycle));
  SubPartition& sub = subs_[slot.sub];
  sub.next = std::min(sub.next, check_at_[number]);
}

void Sm::start_warp(std::uint16_t number, double at) {
  Slot& slot = slots_[number];
  const std::int64_t now = cycle_of(at);
  count_residents(static_cast<double>(now), 1);
  slot.since = now;
  slot.reason = StallReason::no_instruction;
  slot.ready_at = now + cycle_of(timing_.latency_block_start);
  SubPartition& sub = subs_[slot.sub];
  if (sub.warps.empty()) sub.present_since = now;
  sub.warps.push_back(number);
  wake(number, static_cast<double>(slot.ready_at));
}

void Sm::end_warp(std::uint16_t number, double at) {
  Slot& slot = slots_[number];
  // The slot is free only when nothing that is on its way belongs to the warp.
  slot.ending = true;
  if (std::ranges::any_of(slot.pending, [](std::uint16_t count) { return count != 0; })) return;
  const std::int64_t now = cycle_of(at);
  count_reason(slot, now);
  set_reason(slot, StallReason::drain, now);
  set_check(slot, never);
  count_residents(static_cast<double>(now), -1);
  SubPartition& sub = subs_[slot.sub];
  std::erase(sub.warps, number);
  if (sub.warps.empty()) counters_.slots_with_warp += static_cast<std::uint64_t>(now - sub.present_since);
  ResidentBlock& block = blocks_[slot.resident_block];
  slot.warp = nullptr;
  if (--block.warps > 0) return;
  ended.push_back({static_cast<double>(now), block.block->index});
  block.block = nullptr;
}

void Sm::count_until(std::int64_t cycle) {
  count_residents(static_cast<double>(cycle), 0);
  for (SubPartition& sub : subs_) {
    if (!sub.warps.empty() && cycle > sub.present_since)
      counters_.slots_with_warp += static_cast<std::uint64_t>(cycle - sub.present_since);
    for (const std::uint16_t number : sub.warps) count_reason(slots_[number], cycle);
  }
}

void Sm::handle(const Event& event) {
  switch (event.kind) {
    case Event::Kind::start_warp: return start_warp(event.slot, event.time);
    case Event::Kind::end_warp: return end_warp(event.slot, event.time);
    case Event::Kind::phase_timeout: return wake_at_timeout(event.slot, event.a, event.time);
    case Event::Kind::bulk_end: return end_bulk(event.a, event.time);
    case Event::Kind::response: return respond(event.a, event.time);
    case Event::Kind::release: {
      Slot& slot = slots_[event.slot];
      --slot.pending[event.a];
      if (observer != nullptr)
        observer->returned(place_of(slot), cycle_of(event.time), event.a, slot.set_by[event.a],
                           slot.pending_long[event.a]);
      if (slot.ending) return end_warp(event.slot, event.time);
      // Other counters do not matter to a warp that waits for one; observers want to know that it was looked at.
      const bool still_waits = slot.waits_for != InstructionTiming::no_counter && check_at_[event.slot] == never &&
                               slot.pending[slot.waits_for] > slot.waits_until;
      if (still_waits && observer == nullptr) return;
      wake(event.slot, event.time);
      return;
    }
    case Event::Kind::leave_queue: {
      SubPartition& sub = subs_[slots_[event.slot].sub];
      --sub.queued;
      if (event.a != 0) --sub.queued_global;
      wake_throttled(slots_[event.slot].sub, event.time);
      return;
    }
  }
}

void Sm::wake_throttled(unsigned sub, double at) {
  if (subs_[sub].throttled == 0) return;
  for (const std::uint16_t number : subs_[sub].warps)
    if (is_throttle(slots_[number].reason)) wake(number, at);
}

void Sm::receive(const MemoryResponse& response) {
  if (recorder != nullptr) recorder->response_came(id_, response);
  if (observer != nullptr) report_answer(response);
  received_.push_back({response.time, ++response_order_, response.id, 0, Event::Kind::response});
}

/// Responses come to all SMs in turn. They wait until the SM runs, when its data are in the host's caches anyway.
void Sm::take_received() {
  for (const Event& response : received_) __builtin_prefetch(&pending_[response.a]);
  for (const Event& response : received_) {
    const Pending& pending = pending_[response.a];
    if (pending.line != L1::none) __builtin_prefetch(&l1_.at(pending.line));
    if (pending.load != no_index) __builtin_prefetch(&loads_[pending.load]);
    events_.push(response);
  }
  received_.clear();
}

void Sm::report_answer(const MemoryResponse& response) {
  const Pending& pending = pending_[response.id];
  if (pending.kind != MemoryRequest::Kind::load && pending.kind != MemoryRequest::Kind::atomic) return;
  RequestTrip trip{pending.number,          pending.sectors, cycle_of(pending.left_at),
                   cycle_of(response.time), response.source, {}};
  for_each_load(pending, [&](std::uint32_t load) {
    if (std::ranges::find(trip.slots, loads_[load].slot) == trip.slots.end()) trip.slots.push_back(loads_[load].slot);
  });
  observer->answered(trip);
}

void Sm::run(Machine& machine, std::vector<StallCycles>& by_instruction, std::int64_t end) {
  machine_ = &machine;
  by_instruction_ = &by_instruction;
  take_received();
  for (;;) {
    const std::int64_t now = std::min(next_cycle(), events_.next_cycle());
    if (now >= end || failed_) return;
    for (Event event; events_.pop(now, event);) handle(event);
    for (unsigned sub = 0; sub < subs_.size(); ++sub)
      if (subs_[sub].next <= now) schedule(machine, sub, now);
  }
}

}  // namespace warpwalk::gpu
