#include "core/gpu/history/origin/backward_slice.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/gpu/exec/address_space.h"
#include "core/gpu/exec/machine/for_each_lane.h"

namespace warpwalk::gpu {

using Flow = OperationFlow::Kind;

namespace {

/// Stands for CC.CF among the offsets of registers, which are multiples of 4.
constexpr std::uint32_t carry_offset = 0xffffffff;

std::uint64_t register_key(std::uint32_t warp, std::uint32_t offset) { return std::uint64_t{warp} << 32 | offset; }

}  // namespace

// WantedValues

void WantedValues::make_step(std::uint32_t lanes) {
  if (step_ == none) {
    step_ = static_cast<std::uint32_t>(slice_.steps.size());
    slice_.steps.push_back({.entry = entry_});
  }
  slice_.steps[step_].lanes |= lanes;
}

void WantedValues::connect(std::uint32_t consumer) {
  std::vector<std::uint32_t>& from = slice_.steps[consumer].from;
  if (from.empty() || from.back() != step_) from.push_back(step_);
}

std::uint32_t WantedValues::take(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes) {
  const auto found = registers_.find(register_key(warp, offset));
  if (found == registers_.end()) return 0;
  std::uint32_t taken = 0;
  for (Need& need : found->second) {
    const std::uint32_t common = need.lanes & lanes;
    if (common == 0) continue;
    make_step(common);
    if (slice_.steps[step_].place == 0) slice_.steps[step_].place = offset;
    if (need.step != none) connect(need.step);
    taken |= common;
    need.lanes &= ~common;
  }
  std::erase_if(found->second, [](const Need& need) { return need.lanes == 0; });
  if (found->second.empty()) registers_.erase(found);
  return taken;
}

bool WantedValues::take_bytes(std::uint64_t key, std::uint32_t bytes, int lane, std::uint64_t address) {
  bool any = false;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const auto found = bytes_.find(key + i);
    if (found == bytes_.end()) continue;
    make_step(lane >= 0 ? 1U << lane : 0);
    for (const std::uint32_t consumer : found->second) {
      if (consumer == none)
        slice_.written.emplace_back(key + i, step_);
      else
        connect(consumer);
    }
    bytes_.erase(found);
    note_access(std::max(lane, 0), address + i, 1);
    any = true;
  }
  return any;
}

void WantedValues::want(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes) {
  if (lanes == 0) return;
  SliceStep& step = slice_.steps[step_];
  if (step.place == 0) step.place = offset;
  std::vector<Need>& needs = registers_[register_key(warp, offset)];
  for (Need& need : needs)
    if (need.step == step_) {
      need.lanes |= lanes;
      return;
    }
  needs.push_back({lanes, step_});
}

void WantedValues::add_target(std::uint32_t warp, std::uint32_t offset, std::uint32_t lanes) {
  registers_[register_key(warp, offset)].push_back({lanes, none});
}

void WantedValues::want_bytes(std::uint64_t key, std::uint32_t bytes) {
  if (stops_at_memory_) {
    SliceRead* const last = slice_.stops.empty() ? nullptr : &slice_.stops.back();
    if (last != nullptr && last->step == step_ && last->byte + last->bytes == key)
      last->bytes += bytes;
    else
      slice_.stops.push_back({key, bytes, step_});
    return;
  }
  for (std::uint32_t i = 0; i < bytes; ++i) {
    std::vector<std::uint32_t>& needs = bytes_[key + i];
    if (needs.empty() || needs.back() != step_) needs.push_back(step_);
  }
}

void WantedValues::note_access(int lane, std::uint64_t address, std::uint32_t bytes) {
  std::vector<OriginAccess>& accesses = slice_.steps[step_].accesses;
  if (!accesses.empty() && accesses.back().lane == lane && accesses.back().address + accesses.back().bytes == address)
    accesses.back().bytes += bytes;
  else
    accesses.push_back({static_cast<std::uint8_t>(lane), address, bytes, 0});
}

void WantedValues::note_source(std::uint64_t address) {
  std::uint64_t& source = slice_.steps[step_].accesses.back().source;
  if (source == 0) source = address;
}

namespace {

/// One walk over a log.
class Walk {
 public:
  Walk(const Program& program, const std::vector<OperationFlow>& flows, const OperationLog& log, BackwardSlice& slice,
       bool stops_at_memory)
      : program_(program), flows_(flows), log_(log), slice_(slice), wanted_(slice, stops_at_memory) {}

  WantedValues& wanted() { return wanted_; }
  void visit(std::uint32_t index);
  /// Looks for the address of an access, and for its guard.
  void visit_address(const SliceAccess& access);

 private:
  using Entry = OperationLog::Entry;

  /// A byte of memory as a key: local memory is each thread's own.
  static std::uint64_t key_of(std::uint64_t address, const Entry& entry, int lane) {
    if ((address & local_tag) == 0) return address;
    return local_key(address, entry.warp, lane);
  }
  const std::uint64_t* values(const Entry& entry) const { return log_.values.data() + entry.values; }
  void want_slot(const Entry& entry, Slot slot, std::uint32_t lanes) {
    if (slot.space() == static_cast<std::uint32_t>(SlotSpace::frame) && slot.offset() != 0)
      wanted_.want(entry.warp, entry.frame + slot.offset(), lanes);
  }
  std::uint32_t take_slot(const Entry& entry, Slot slot, std::uint32_t lanes) {
    if (slot.space() != static_cast<std::uint32_t>(SlotSpace::frame) || slot.offset() == 0) return 0;
    return wanted_.take(entry.warp, entry.frame + slot.offset(), lanes);
  }
  std::uint32_t take_all(const Entry& entry, const OperationFlow& flow, std::uint32_t lanes);
  void want_all(const Entry& entry, const OperationFlow& flow, std::uint32_t lanes);

  void visit_load(const Op& op, const Entry& entry);
  void visit_store(const Op& op, const Entry& entry, bool combines);
  void visit_atomic(const Op& op, const Entry& entry);
  void visit_copy_async(const Op& op, const Entry& entry);
  void visit_pieces(const Entry& entry, const Entry* next);
  void visit_call(const Entry& entry, bool returns);
  void visit_exchange(const Entry& entry, const OperationFlow& flow);

  const Program& program_;
  const std::vector<OperationFlow>& flows_;
  const OperationLog& log_;
  BackwardSlice& slice_;
  WantedValues wanted_;
};

std::uint32_t Walk::take_all(const Entry& entry, const OperationFlow& flow, std::uint32_t lanes) {
  std::uint32_t taken = 0;
  for (const std::uint32_t offset : flow.writes) taken |= wanted_.take(entry.warp, entry.frame + offset, lanes);
  if (flow.writes_carry) taken |= wanted_.take(entry.warp, carry_offset, lanes);
  return taken;
}

void Walk::want_all(const Entry& entry, const OperationFlow& flow, std::uint32_t lanes) {
  for (const std::uint32_t offset : flow.reads) wanted_.want(entry.warp, entry.frame + offset, lanes);
  if (flow.reads_carry) wanted_.want(entry.warp, carry_offset, lanes);
}

void Walk::visit_load(const Op& op, const Entry& entry) {
  const Access& access = program_.accesses[op.table_index];
  const std::uint64_t* const at = values(entry);
  for (std::uint32_t i = 0; i < access.elements; ++i) {
    if (access.discard[i]) continue;
    for_lanes(take_slot(entry, access.values[i], entry.lanes), [&](int lane) {
      const std::uint64_t address = at[lane] + std::uint64_t{i} * access.bytes;
      wanted_.note_access(lane, address, access.bytes);
      wanted_.want_bytes(key_of(address, entry, lane), access.bytes);
    });
  }
}

void Walk::visit_store(const Op& op, const Entry& entry, bool combines) {
  const Access& access = program_.accesses[op.table_index];
  const std::uint64_t* const at = values(entry);
  // At equal addresses, the highest lane wins.
  for (std::uint32_t i = access.elements; i-- > 0;)
    for (int lane = lanes_per_warp; lane-- > 0;) {
      if ((entry.lanes >> lane & 1) == 0) continue;
      const std::uint64_t address = at[lane] + std::uint64_t{i} * access.bytes;
      const std::uint64_t key = key_of(address, entry, lane);
      if (!wanted_.take_bytes(key, access.bytes, lane, address)) continue;
      want_slot(entry, access.values[i], 1U << lane);
      if (combines) wanted_.want_bytes(key, access.bytes);
    }
}

void Walk::visit_atomic(const Op& op, const Entry& entry) {
  const Access& access = program_.accesses[op.table_index];
  const Atomic& how = program_.atomics[access.atomic];
  const std::uint64_t* const at = values(entry);
  // Lanes follow one another, the lowest first.
  for (int lane = lanes_per_warp; lane-- > 0;) {
    const std::uint32_t bit = 1U << lane;
    if ((entry.lanes & bit) == 0) continue;
    const std::uint64_t key = key_of(at[lane], entry, lane);
    const bool old = how.returns && take_slot(entry, op.d, bit) != 0;
    if (wanted_.take_bytes(key, access.bytes, lane, at[lane])) {
      want_slot(entry, op.b, bit);
      if (how.action == ptx::Action::cas) want_slot(entry, op.c, bit);
      if (how.action != ptx::Action::exch) wanted_.want_bytes(key, access.bytes);
    }
    if (old) {
      wanted_.note_access(lane, at[lane], access.bytes);
      wanted_.want_bytes(key, access.bytes);
    }
  }
}

void Walk::visit_copy_async(const Op& op, const Entry& entry) {
  const Access& access = program_.accesses[op.table_index];
  const std::uint64_t *const to = values(entry), *const from = to + lanes_per_warp,
                             *const sizes = from + lanes_per_warp;
  for (int lane = lanes_per_warp; lane-- > 0;) {
    if ((entry.lanes >> lane & 1) == 0) continue;
    for (std::uint32_t i = 0; i < access.bytes; ++i)
      if (wanted_.take_bytes(to[lane] + i, 1, lane, to[lane] + i) && i < sizes[lane]) {
        wanted_.note_source(from[lane] + i);
        wanted_.want_bytes(from[lane] + i, 1);
      }
  }
}

void Walk::visit_pieces(const Entry& entry, const Entry* next) {
  // The number of pieces is the last value of the entry.
  const std::size_t end = next != nullptr ? next->values : log_.values.size();
  if (end <= entry.values) return;
  const std::uint64_t count = log_.values[end - 1];
  for (std::uint64_t k = count; k-- > 0;) {
    const std::uint64_t* const piece = values(entry) + k * values_per_piece;
    const auto bytes = static_cast<std::uint32_t>(piece[2]);
    const bool combines = (piece[2] & piece_combines) != 0;
    const int lane = std::countr_zero(entry.lanes);
    for (std::uint32_t i = 0; i < bytes + piece[3]; ++i) {
      if (!wanted_.take_bytes(piece[1] + i, 1, lane, piece[1] + i)) continue;
      if (i < bytes) {
        wanted_.note_source(piece[0] + i);
        wanted_.want_bytes(piece[0] + i, 1);
      }
      if (combines) wanted_.want_bytes(piece[1] + i, 1);
    }
  }
}

void Walk::visit_call(const Entry& entry, bool returns) {
  const std::uint64_t* const v = values(entry);
  const std::uint64_t caller = v[0], callee = v[1];
  const Function& function = program_.functions[v[2]];
  const Call& call = program_.calls[v[3]];
  for (const CallCopy& copy : returns ? call.results : call.arguments) {
    const auto& offsets = returns ? function.return_offsets : function.parameter_offsets;
    const std::uint64_t outside = (caller + copy.caller) | local_tag;
    const std::uint64_t inside = (callee + offsets[copy.parameter]) | local_tag;
    const std::uint64_t to = returns ? outside : inside, from = returns ? inside : outside;
    for_lanes(entry.lanes, [&](int lane) {
      for (std::uint32_t i = 0; i < copy.bytes; ++i)
        if (wanted_.take_bytes(key_of(to + i, entry, lane), 1, lane, to + i))
          wanted_.want_bytes(key_of(from + i, entry, lane), 1);
    });
  }
}

void Walk::visit_exchange(const Entry& entry, const OperationFlow& flow) {
  const std::uint64_t* const sources = values(entry);
  std::uint32_t from = 0;
  for_lanes(take_all(entry, flow, entry.lanes), [&](int lane) { from |= static_cast<std::uint32_t>(sources[lane]); });
  want_all(entry, flow, from);
}

void Walk::visit(std::uint32_t index) {
  const Entry& entry = log_.entries[index];
  const OperationFlow& flow = flows_[entry.op];
  const Op& op = program_.ops[entry.op];
  wanted_.begin(index);
  switch (flow.kind) {
    case Flow::none: break;
    case Flow::lanes:
      if (const std::uint32_t lanes = take_all(entry, flow, entry.lanes); lanes != 0) want_all(entry, flow, lanes);
      break;
    case Flow::select:
      if (const std::uint32_t lanes = take_all(entry, flow, entry.lanes); lanes != 0) {
        const auto first = static_cast<std::uint32_t>(*values(entry));
        want_slot(entry, op.a, lanes & first);
        want_slot(entry, op.b, lanes & ~first);
      }
      break;
    case Flow::to_all_lanes:
      if (take_all(entry, flow, all_lanes) != 0) want_all(entry, flow, entry.lanes);
      break;
    case Flow::first_lane:
      if (take_all(entry, flow, all_lanes) != 0) want_all(entry, flow, entry.lanes & (~entry.lanes + 1));
      break;
    case Flow::opaque:
      if (take_all(entry, flow, entry.lanes) != 0) slice_.opaque = true;
      break;
    case Flow::exchange: visit_exchange(entry, flow); break;
    case Flow::load: visit_load(op, entry); break;
    case Flow::store: visit_store(op, entry, false); break;
    case Flow::store_async: visit_store(op, entry, op.bytes != 0); break;
    case Flow::atomic: visit_atomic(op, entry); break;
    case Flow::copy_async: visit_copy_async(op, entry); break;
    case Flow::bulk_copy:
      visit_pieces(entry, index + 1 < log_.entries.size() ? &log_.entries[index + 1] : nullptr);
      break;
    case Flow::call: visit_call(entry, false); break;
    case Flow::call_return: visit_call(entry, true); break;
    case Flow::mma: visit_mma(program_, op, entry, wanted_); break;
    case Flow::group_mma: visit_group_mma(program_, op, entry, values(entry), wanted_); break;
    case Flow::load_matrix:
    case Flow::store_matrix:
    case Flow::move_matrix: visit_matrix_move(program_, op, flow.kind, entry, values(entry), wanted_); break;
    case Flow::load_fragment:
    case Flow::store_fragment:
      visit_fragment(program_, op, flow.kind == Flow::load_fragment, entry, values(entry), wanted_);
      break;
  }
}

void Walk::visit_address(const SliceAccess& access) {
  const Entry& entry = log_.entries[access.entry];
  const Op& op = program_.ops[entry.op];
  wanted_.begin(static_cast<std::uint32_t>(access.entry));
  wanted_.begin_with(access.lanes);
  want_slot(entry, op.a, access.lanes);
  if (flows_[entry.op].kind == Flow::copy_async) want_slot(entry, op.b, access.lanes);
  if (op.guard >= 0) wanted_.want(entry.warp, entry.frame + static_cast<std::uint32_t>(op.guard), access.lanes);
}

}  // namespace

BackwardSlice slice_backwards(const Program& program, const std::vector<OperationFlow>& flows, const OperationLog& log,
                              std::vector<SliceTarget> targets, const SliceOptions& options) {
  BackwardSlice slice;
  Walk walk(program, flows, log, slice, options.stops_at_memory);
  std::ranges::sort(targets, {}, &SliceTarget::end);
  std::size_t first = log.entries.size();
  if (options.address_of) {
    walk.visit_address(*options.address_of);
    first = options.address_of->entry;
  }
  for (std::size_t i = first; i-- > 0;) {
    for (; !targets.empty() && targets.back().end > i; targets.pop_back()) {
      const SliceTarget& target = targets.back();
      if (target.lanes != 0)
        walk.wanted().add_target(target.warp, static_cast<std::uint32_t>(target.byte), target.lanes);
      else
        walk.wanted().add_target(target.byte);
    }
    if (walk.wanted().empty()) {
      if (targets.empty()) break;
      continue;
    }
    if (slice.steps.size() > options.max_steps) {
      slice.truncated = true;
      break;
    }
    walk.visit(static_cast<std::uint32_t>(i));
  }
  for (const auto& [key, steps] : walk.wanted().bytes()) {
    if ((key & (shared_tag | local_tag)) != 0) continue;
    std::vector<std::uint32_t> readers = steps;
    std::erase(readers, WantedValues::none);
    if (!readers.empty()) slice.read.emplace_back(key, std::move(readers));
  }
  std::ranges::sort(slice.read);
  return slice;
}

std::size_t next_write(const Program& program, const std::vector<OperationFlow>& flows, const OperationLog& log,
                       std::uint64_t byte, std::size_t begin) {
  BackwardSlice slice;
  Walk walk(program, flows, log, slice, true);
  walk.wanted().add_target(byte);
  for (std::size_t i = begin; i < log.entries.size(); ++i) {
    walk.visit(static_cast<std::uint32_t>(i));
    if (walk.wanted().counts()) return i;
  }
  return log.entries.size();
}

}  // namespace warpwalk::gpu
