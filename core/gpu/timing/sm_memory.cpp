#include <algorithm>
#include <bit>
#include <cmath>

#include "core/gpu/exec/bank_conflicts.h"
#include "core/gpu/timing/asynchronous_units.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

namespace {

/// Lines of local memory, apart from all addresses of the program.
constexpr std::uint64_t local_lines_base = std::uint64_t{1} << 50;

/// Passes of an atomic over the banks of shared memory: lanes with the same word take one each. Measured on an H200
/// (tests/cuda/microbench): 32 cycles for one address, 8 for words 128 bytes apart in steps of 8 lanes.
int atomic_passes(const LoggedAccess& access) {
  std::array<int, 32> lanes{};
  int most = 1;
  for (std::uint32_t mask = access.mask; mask != 0; mask &= mask - 1) {
    const std::uint64_t word = access.at[static_cast<std::size_t>(std::countr_zero(mask))] / 4;
    most = std::max(most, ++lanes[word % 32]);
  }
  return most;
}

}  // namespace

std::uint32_t Sm::line_in_l1(std::uint64_t number) {
  std::uint32_t index = l1_.find(number, number);
  if (index == L1::none) {
    index = l1_.victim(number);
    if (index == L1::none) return index;
    l1_.assign(index, number);
  }
  l1_.use(index);
  return index;
}

std::uint32_t Sm::new_load(std::uint16_t slot, std::uint8_t counter, bool copy) {
  std::uint32_t index;
  if (free_loads_.empty()) {
    index = static_cast<std::uint32_t>(loads_.size());
    loads_.emplace_back();
  } else {
    index = free_loads_.back();
    free_loads_.pop_back();
  }
  loads_[index] = {.slot = slot, .counter = counter, .copy = copy};
  return index;
}

std::uint32_t Sm::new_pending(MemoryRequest::Kind kind) {
  std::uint32_t index;
  if (free_pending_.empty()) {
    index = static_cast<std::uint32_t>(pending_.size());
    pending_.emplace_back();
  } else {
    index = free_pending_.back();
    free_pending_.pop_back();
  }
  Pending& pending = pending_[index];
  pending.kind = kind;
  pending.in_flight = true;
  pending.bulk = false;
  pending.line = L1::none;
  pending.load = no_index;
  pending.more.clear();
  return index;
}

void Sm::issue_to_mio(unsigned sub, std::uint16_t number, const InstructionTiming& timing, std::int64_t now) {
  SubPartition& p = subs_[sub];
  Slot& slot = slots_[number];
  const bool accesses = timing.kind == InstructionKind::shared || timing.kind == InstructionKind::global ||
                        timing.kind == InstructionKind::local || timing.kind == InstructionKind::copy;
  const double interval =
      accesses && log_.accesses.empty() ? timing_.interval_mio_idle : static_cast<double>(timing.interval);
  const double at = p.to_mio.take(static_cast<double>(now), interval);
  double start = at;
  bool to_l1 = false;
  ++p.queued;
  switch (timing.kind) {
    case InstructionKind::special:
    case InstructionKind::special_register:
    case InstructionKind::constant: {
      Resource& unit = timing.kind == InstructionKind::special ? lsu_ : adu_;
      start = unit.take(at, timing.unit);
      release_at(start + timing.latency, number, timing.write_counter);
      break;
    }
    case InstructionKind::texture: release_at(start + timing_.latency_l1, number, timing.write_counter); break;
    default: {
      int passes = 0;
      CoalescedAccess& lines = lines_;
      const LoggedAccess* global = nullptr;
      for (const LoggedAccess& access : log_.accesses) {
        if (access.space == LoggedAccess::Space::shared) {
          passes += access.passes != 0 ? access.passes
                    : access.atomic    ? atomic_passes(access)
                                    : wavefronts_of(access.at.data(), access.mask, access.bytes, access.writes).passes;
        } else {
          global = &access;
          const std::uint64_t warp = slot.block->index * slot.block->warps.size() + slot.warp->id;
          if (access.space == LoggedAccess::Space::local)
            coalesce_local(access, local_lines_base + warp * context_.local_lines, lines);
          else
            coalesce(access, 0, lines);
        }
      }
      if (global == nullptr && (timing.arrives || timing.checks_phase)) {
        start = lsu_.take(at, timing.arrives ? asynchronous::arrival_interval : asynchronous::phase_check_interval);
        const double result = start + asynchronous::phase_check_latency;
        if (timing.sleeps && log_.phase_wait.lanes != 0)
          wait_for_phase(number, timing.write_counter, result);
        else
          release_at(result, number, timing.write_counter);
        if (log_.changes_phase) wake_for_phase(*slot.block, result + asynchronous::arrival_latency);
        break;
      }
      if (global == nullptr) {
        start = lsu_.take(at, std::max<double>(timing.unit, passes * timing_.interval_shared_pass));
        const double result = start + timing_.latency_shared + std::max(0, passes - 1) * timing_.conflict_way;
        release_at(result, number, timing.write_counter);
        if (log_.changes_phase) wake_for_phase(*slot.block, result);
        break;
      }
      to_l1 = true;
      ++p.queued_global;
      const double data = std::popcount(global->mask) * global->bytes / 128.0 * timing_.interval_l1_data;
      double occupied = std::max<double>(timing.unit, data);
      start = lsu_.next(at);
      if (global->atomic) {
        const std::uint32_t load =
            timing.write_counter < counters_per_warp ? new_load(number, timing.write_counter, false) : no_index;
        send_atomic(number, lines, start, load, timing.floating);
        occupied = std::max(occupied, lines.count * timing_.interval_l1_line);
      } else if (global->writes) {
        store_global(number, lines, start);
        occupied = std::max(occupied, lines.count * timing_.interval_l1_store);
      } else {
        const std::uint32_t load = new_load(number, timing.write_counter, timing.kind == InstructionKind::copy);
        if (loads_[load].copy) slot.copies.push_back(load);
        // The banks of L1 are those of shared memory. In local memory each lane has a bank of its own.
        const int banks = global->space == LoggedAccess::Space::local
                              ? (global->bytes + 3) / 4
                              : wavefronts_of(global->at.data(), global->mask, global->bytes, false).passes;
        const int requested = load_global(timing, lines, start, banks, load);
        if (timing.kind == InstructionKind::copy && timing.bypasses_l1) {
          // The data do not pass the banks as lanes ask for them: a pass for the lookup, then those of the writes.
          ++passes;
        } else {
          occupied = std::max({occupied, banks * timing_.interval_l1_data, lines.count / timing_.l1_tags,
                               requested * timing_.interval_l1_line});
          if (timing.kind == InstructionKind::copy) occupied += timing_.interval_copy_write;
        }
      }
      lsu_.take(start, std::max(occupied, passes * timing_.interval_shared_pass));
      break;
    }
  }
  release_at(start + timing_.latency_operands_read, number, timing.read_counter);
  add_event(start + 1, Event::Kind::leave_queue, number, to_l1 ? 1 : 0);
}

int Sm::load_global(const InstructionTiming& timing, const CoalescedAccess& lines, double at, int passes,
                    std::uint32_t load) {
  int requested = 0;
  ++loads_[load].remaining;  // so that it does not end before all lines have been looked up
  for (int i = 0; i < lines.count; ++i) {
    const LineAccess& access = lines.lines[static_cast<std::size_t>(i)];
    counters_.l1_sectors += static_cast<std::uint64_t>(sector_count(access.sectors));
    std::uint8_t missing = access.sectors;
    L1Line* line = nullptr;
    std::uint32_t index = L1::none;
    if (!timing.bypasses_l1) {
      index = line_in_l1(access.line);
      if (index != L1::none) {
        line = &l1_.at(index);
        const auto hits = static_cast<std::uint8_t>(access.sectors & line->present);
        const auto arriving = static_cast<std::uint8_t>(access.sectors & line->arriving);
        // Nsight Compute counts sectors that are on their way as hits.
        counters_.l1_hits += static_cast<std::uint64_t>(sector_count(static_cast<std::uint8_t>(hits | arriving)));
        missing = static_cast<std::uint8_t>(access.sectors & ~line->present & ~line->arriving);
        for (std::size_t s = 0; s < line->requests.size(); ++s) {
          if ((arriving >> s & 1) == 0) continue;
          Pending& awaited = pending_[line->requests[s]];
          if ((awaited.more.empty() ? awaited.load : awaited.more.back()) == load) continue;
          ++loads_[load].remaining;
          awaited.more.push_back(load);
        }
      }
    }
    if (missing == 0) continue;
    ++loads_[load].remaining;
    const std::uint32_t id = new_pending(MemoryRequest::Kind::load);
    Pending& pending = pending_[id];
    pending.sectors = missing;
    pending.load = load;
    pending.number = access.line;
    pending.line = index;
    if (line != nullptr) {
      line->arriving |= missing;
      for (std::size_t s = 0; s < line->requests.size(); ++s)
        if ((missing >> s & 1) != 0) line->requests[s] = id;
    }
    send_miss(at + timing_.latency_l1_miss + requested * timing_.interval_l1_line, access.line, missing, id);
    ++requested;
  }
  complete(load, at + timing_.latency_l1 +
                     std::max((passes - 1) * timing_.conflict_way, std::ceil(lines.count / timing_.l1_tags) - 1));
  return requested;
}

void Sm::send_miss(double at, std::uint64_t line, std::uint8_t sectors, std::uint32_t pending) {
  if (misses_ >= static_cast<int>(timing_.l1_misses)) {
    delayed_.push({line, pending, sectors});
    return;
  }
  ++misses_;
  pending_[pending].left_at = at;
  requests.push_back(
      {.time = at, .line = line, .id = pending, .sm = id_, .kind = MemoryRequest::Kind::load, .sectors = sectors});
}

void Sm::end_copies(Slot& slot, std::uint16_t number, std::uint8_t counter, double at) {
  const std::uint32_t group = new_load(number, counter, false);
  loads_[group].remaining = 1;
  for (const std::uint32_t copy : slot.copies) {
    loads_[copy].then = group;
    ++loads_[group].remaining;
  }
  slot.copies.clear();
  complete(group, at + 2);
}

void Sm::complete(std::uint32_t index, double at) {
  Load& load = loads_[index];
  load.done = std::max(load.done, at);
  if (--load.remaining > 0) return;
  release_at(load.done, load.slot, load.counter);
  const std::uint32_t then = load.then;
  const double done = load.done;
  if (load.bulk != no_index) add_event(done + asynchronous::copy_end, Event::Kind::bulk_end, 0, load.bulk);
  if (load.copy && then == no_index) std::erase(slots_[load.slot].copies, index);
  free_loads_.push_back(index);
  if (then != no_index) complete(then, done);
}

void Sm::respond(std::uint32_t id, double at) {
  Pending& pending = pending_[id];
  switch (pending.kind) {
    case MemoryRequest::Kind::fetch: {
      fetch_.arrived(pending.number, at);
      for (const SubPartition& sub : subs_)
        for (const std::uint16_t number : sub.warps)
          if (slots_[number].reason == StallReason::no_instruction) wake(number, at);
      break;
    }
    case MemoryRequest::Kind::store: {
      const int limit = static_cast<int>(timing_.stores_in_flight);
      const bool was_full = stores_ >= limit;
      stores_ -= sector_count(pending.sectors);
      last_confirmation_ = std::max(last_confirmation_, at);
      if (was_full && stores_ < limit)
        for (unsigned sub = 0; sub < subs_.size(); ++sub) wake_throttled(sub, at);
      Slot& slot = slots_[pending.slot];
      if (slot.age == pending.warp && --slot.stores == 0 && slot.fenced) {
        slot.fenced = false;
        slot.ready_at =
            std::max(slot.ready_at, static_cast<std::int64_t>(std::ceil(fences_.take(at, timing_.interval_fence_gpu) +
                                                                        timing_.latency_fence_gpu)));
        wake(pending.slot, at);
      }
      break;
    }
    default: {
      const double cycles = sector_count(pending.sectors) * 32 /
                            (pending.bulk ? asynchronous::copy_bytes_per_cycle : timing_.l1_fill_bandwidth);
      const double filled = (pending.bulk ? bulk_data_ : fill_).take(at, cycles) + cycles;
      if (pending.line != L1::none) {
        L1Line& line = l1_.at(pending.line);
        line.present |= pending.sectors;
        line.arriving = static_cast<std::uint8_t>(line.arriving & ~pending.sectors);
      }
      // complete() may add loads and pending requests, so the list is taken out first.
      const std::uint32_t first = pending.load;
      std::vector<std::uint32_t> more = std::move(pending.more);
      if (first != no_index) complete(first, filled);
      for (const std::uint32_t load : more) complete(load, filled);
      more.clear();
      pending_[id].more = std::move(more);
      if (pending_[id].kind == MemoryRequest::Kind::load && !pending_[id].bulk) {
        --misses_;
        if (!delayed_.empty()) {
          const Delayed next = delayed_.front();
          delayed_.pop();
          send_miss(at, next.line, next.sectors, next.pending);
          if (delayed_.size() == static_cast<std::size_t>(timing_.l1_miss_queue))
            for (unsigned sub = 0; sub < subs_.size(); ++sub) wake_throttled(sub, at);
        }
      }
      break;
    }
  }
  pending_[id].in_flight = false;
  free_pending_.push_back(id);
}

}  // namespace warpwalk::gpu
