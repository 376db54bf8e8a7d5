#include <array>
#include <bit>
#include <string_view>

#include <fmt/format.h>

#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/machine/for_each_lane.h"
#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/launch_observer.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu::handlers {

namespace {

/// Synchronizes the lanes of a .sync instruction. Returns true if all lanes of the member mask `named` have arrived;
/// `together` is then the set of participating lanes. Otherwise the split waits.
bool synchronize_lanes(Machine& m, const Op& op, std::uint32_t mask, std::uint32_t named, bool any_place,
                       std::uint32_t& together) {
  const std::uint32_t needed = named & m.warp->live_lanes;
  together = mask;
  if (m.sanitizer != nullptr && (mask & ~named) != 0) {
    const ptx::Opcode opcode = m.program.sources[op.instruction].instruction->opcode;
    m.report(
        FindingKind::barrier, op, mask & ~named,
        fmt::format("executes a {} whose member mask {:#010x} does not include it: its bit must be set",
                    opcode == ptx::Opcode::bar_warp ? "__syncwarp()" : fmt::format("{}.sync", ptx::name_of(opcode)),
                    named));
  }
  if ((needed & ~mask) == 0) {
    if (m.sanitizer != nullptr) m.sanitizer->warp_sync(m, named & m.warp->live_lanes);
    return true;
  }
  const std::uint32_t here = m.pc_of(op);
  std::uint32_t waiting = 0;
  for (const Split& other : m.warp->splits) {
    if (other.state != SplitState::at_warp_sync || other.barrier != named) continue;
    if (any_place || other.pc == here) waiting |= other.mask;
  }
  if ((needed & ~(mask | waiting)) != 0) {
    m.split->barrier = named;
    m.wait(SplitState::at_warp_sync, op);
    return false;
  }
  together = (mask | waiting) & named;
  for (Split& other : m.warp->splits) {
    if (other.state != SplitState::at_warp_sync || other.barrier != named) continue;
    if (!any_place && other.pc != here) continue;
    other.state = SplitState::ready;
    ++other.pc;
  }
  if (m.sanitizer != nullptr) m.sanitizer->warp_sync(m, together);
  return true;
}

/// Like the above for lanes with different member masks, e.g. tiles of a warp. Every group must be complete. Calls
/// `run` once per group.
template <class Run>
void for_groups(Machine& m, const Op& op, std::uint32_t mask, bool any_place, Run run) {
  const auto* const named = m.at<const std::uint32_t>(op.e);
  const std::uint32_t first = named[std::countr_zero(mask)];
  bool one = true;
  for_lanes(mask, [&](int lane) { one = one && named[lane] == first; });
  std::uint32_t together = 0;
  if (one) {
    if (synchronize_lanes(m, op, mask, first, any_place, together)) run(together);
    return;
  }
  const auto group_of = [&](std::uint32_t left) {
    const std::uint32_t wanted = named[std::countr_zero(left)];
    std::uint32_t group = 0;
    for_lanes(left, [&](int lane) {
      if (named[lane] == wanted) group |= 1u << lane;
    });
    return group;
  };
  for (std::uint32_t left = mask; left != 0;) {
    const std::uint32_t group = group_of(left);
    const std::uint32_t needed = named[std::countr_zero(left)] & m.warp->live_lanes;
    if ((needed & ~group) != 0) {
      m.split->barrier = named[std::countr_zero(left)];
      m.wait(SplitState::at_warp_sync, op);
      return;
    }
    left &= ~group;
  }
  for (std::uint32_t left = mask; left != 0;) {
    const std::uint32_t group = group_of(left);
    if (synchronize_lanes(m, op, group, named[std::countr_zero(left)], any_place, together)) run(together);
    left &= ~group;
  }
}

void write_predicate(Machine& m, std::int32_t offset, std::uint32_t mask, std::uint32_t value) {
  if (offset >= 0) m.predicate(offset) = (m.predicate(offset) & ~mask) | (value & mask);
}

/// Tells the observer that the result of each lane is computed from the values of all of them, or of none.
void note_exchange(Machine& m, std::uint32_t together, std::uint32_t sources) {
  if (m.launch_observer == nullptr) return;
  std::array<std::uint32_t, lanes_per_warp> all;
  all.fill(sources);
  m.launch_observer->exchanged(together, all);
}

/// Why a lane takes no part in a shuffle of others, as the end of a sentence.
std::string_view reason_for_absence(const Warp& warp, int lane) {
  return (warp.lanes_at_start >> lane & 1) == 0 ? "which the block does not have" : "which has exited";
}

/// Reports lanes that read a lane that takes no part in the shuffle. `sources` has the lane that each one reads.
void report_absent_sources(Machine& m, const Op& op, std::uint32_t readers, const std::uint32_t* sources) {
  if (readers == 0) return;
  const int from = std::countr_zero(sources[std::countr_zero(readers)]);
  m.report(
      FindingKind::inactive_lane, op, readers,
      fmt::format("gets the value of lane {} by a shuffle, {}: the value is undefined. All lanes that are read must "
                  "reach the shuffle, for example with a neutral value",
                  from, reason_for_absence(*m.warp, from)));
}

/// `named`: the lanes that the member masks name.
void shuffle_lanes(Machine& m, const Op& op, std::uint32_t together, std::uint32_t named) {
  const auto* const a = m.at<const std::uint32_t>(op.a);
  const auto* const b = m.at<const std::uint32_t>(op.b);
  const auto* const c = m.at<const std::uint32_t>(op.c);
  const auto mode = static_cast<ptx::Action>(op.immediate);
  std::uint32_t result[lanes_per_warp];
  std::array<std::uint32_t, lanes_per_warp> sources{};
  std::uint32_t valid = 0, without_source = 0;
  for_lanes(together, [&](int lane) {
    const int clamp = static_cast<int>(c[lane] & 31);
    const int segment = static_cast<int>(c[lane] >> 8 & 31);
    const int max_lane = (lane & segment) | (clamp & ~segment);
    const int min_lane = lane & segment;
    const int offset = static_cast<int>(b[lane] & 31);
    int from = 0;
    bool inside = false, is_used = true;
    switch (mode) {
      case ptx::Action::up:
        from = lane - offset;
        inside = from >= max_lane;  // for up, the clamp is the lower bound
        break;
      case ptx::Action::down:
        from = lane + offset;
        inside = from <= max_lane;
        // When a tree adds up lanes, only those below the offset are added up further.
        is_used = lane - min_lane < offset;
        break;
      case ptx::Action::bfly:
        from = lane ^ offset;
        inside = from <= max_lane;
        break;
      default:
        from = min_lane | (offset & ~segment);
        inside = from <= max_lane;
        break;
    }
    if (!inside) from = lane;
    // A lane that does not take part gives 0, whatever its register holds (tests/exec, measured on an H100).
    result[lane] = (together >> (from & 31) & 1) != 0 ? a[from & 31] : 0;
    sources[static_cast<std::size_t>(lane)] = 1u << (from & 31);
    if (inside) valid |= 1u << lane;
    if (inside && is_used && ((named & ~together) >> (from & 31) & 1) != 0) without_source |= 1u << lane;
  });
  if (m.sanitizer != nullptr) report_absent_sources(m, op, without_source, sources.data());
  auto* const d = m.at<std::uint32_t>(op.d);
  for_lanes(together, [&](int lane) { d[lane] = result[lane]; });
  write_predicate(m, op.p_out, together, valid);
  if (m.launch_observer != nullptr) m.launch_observer->exchanged(together, sources);
}

void vote_lanes(Machine& m, const Op& op, std::uint32_t together) {
  note_exchange(m, together, together);
  std::uint32_t p = op.p_in >= 0 ? m.predicate(op.p_in) : op.q_out >= 0 ? all_lanes : 0;
  if (op.p_in_negated) p = ~p;
  const std::uint32_t yes = p & together;
  const auto write = [&](bool all) { write_predicate(m, op.p_out, together, all ? all_lanes : 0); };
  switch (static_cast<ptx::Action>(op.immediate)) {
    case ptx::Action::all: write(yes == together); break;
    case ptx::Action::any: write(yes != 0); break;
    case ptx::Action::uni: write(yes == together || yes == 0); break;
    default: for_lanes(together, [&](int lane) { m.at<std::uint32_t>(op.d)[lane] = yes; }); break;
  }
}

void match_lanes(Machine& m, const Op& op, std::uint32_t together) {
  note_exchange(m, together, together);
  const auto* const a = m.at<const std::uint8_t>(op.a);
  const int width = op.bytes;
  std::uint32_t result[lanes_per_warp] = {};
  const std::uint64_t first = get_lane(a, width, std::countr_zero(together));
  bool all = true;
  for_lanes(together, [&](int lane) {
    const std::uint64_t mine = get_lane(a, width, lane);
    all = all && mine == first;
    for_lanes(together, [&](int other) {
      if (get_lane(a, width, other) == mine) result[lane] |= 1u << other;
    });
  });
  auto* const d = m.at<std::uint32_t>(op.d);
  const bool match_all = static_cast<ptx::Action>(op.immediate) == ptx::Action::all;
  for_lanes(together, [&](int lane) { d[lane] = match_all ? (all ? together : 0) : result[lane]; });
  write_predicate(m, op.p_out, together, all ? all_lanes : 0);
}

void reduce_lanes(Machine& m, const Op& op, std::uint32_t together) {
  note_exchange(m, together, together);
  const auto* const a = m.at<const std::uint32_t>(op.a);
  const bool is_signed = op.table_index == 1;
  std::uint32_t result = a[std::countr_zero(together)];
  bool first = true;
  for_lanes(together, [&](int lane) {
    const std::uint32_t x = a[lane];
    if (first) {
      first = false;
      return;
    }
    const bool less = is_signed ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(result) : x < result;
    switch (static_cast<ptx::Action>(op.immediate)) {
      case ptx::Action::add: result += x; break;
      case ptx::Action::and_: result &= x; break;
      case ptx::Action::or_: result |= x; break;
      case ptx::Action::xor_: result ^= x; break;
      case ptx::Action::min: result = less ? x : result; break;
      default: result = less ? result : x; break;
    }
  });
  for_lanes(together, [&](int lane) { m.at<std::uint32_t>(op.d)[lane] = result; });
}

}  // namespace

void warp_barrier(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask != 0) for_groups(m, op, mask, true, [](std::uint32_t) {});
}

void shuffle(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  const auto* const masks = m.at<const std::uint32_t>(op.e);
  for_groups(m, op, mask, false, [&](std::uint32_t together) {
    std::uint32_t named = 0;
    for_lanes(together, [&](int lane) { named |= masks[lane]; });
    shuffle_lanes(m, op, together, named);
  });
}

void vote(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  for_groups(m, op, mask, false, [&](std::uint32_t together) { vote_lanes(m, op, together); });
}

void match(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  for_groups(m, op, mask, false, [&](std::uint32_t together) { match_lanes(m, op, together); });
}

void reduce(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  for_groups(m, op, mask, false, [&](std::uint32_t together) { reduce_lanes(m, op, together); });
}

namespace {

/// Runs an exchange among the executing lanes, which are converged.
template <class Run>
void among_active(Machine& m, const Op& op, Run run) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  if (m.sanitizer != nullptr) m.sanitizer->warp_sync(m, mask);
  run(m, op, mask);
}

}  // namespace

void shuffle_active(Machine& m, const Op& op) {
  // Machine code has no masks. Only lanes that have exited are taken to be missing: a block with a partial warp may
  // name those that it has.
  among_active(m, op, [](Machine& machine, const Op& shuffle_op, std::uint32_t together) {
    const std::uint32_t exited = machine.warp->lanes_at_start & ~machine.warp->live_lanes;
    shuffle_lanes(machine, shuffle_op, together, exited);
  });
}
void vote_active(Machine& m, const Op& op) { among_active(m, op, vote_lanes); }
void match_active(Machine& m, const Op& op) { among_active(m, op, match_lanes); }
void reduce_active(Machine& m, const Op& op) { among_active(m, op, reduce_lanes); }

void active_mask(Machine& m, const Op& op) {
  for_lanes(m.executing_lanes(op), [&](int lane) { m.at<std::uint32_t>(op.d)[lane] = m.active_mask; });
}

namespace {

void elect_lane(Machine& m, const Op& op, std::uint32_t together) {
  note_exchange(m, together, 0);
  const auto leader = static_cast<std::uint32_t>(std::countr_zero(together));
  if (op.bytes != 0) for_lanes(together, [&](int lane) { m.at<std::uint32_t>(op.d)[lane] = leader; });
  write_predicate(m, op.p_out, together, 1u << leader);
}

}  // namespace

void elect(Machine& m, const Op& op) {
  const std::uint32_t mask = m.executing_lanes(op);
  if (mask == 0) return;
  for_groups(m, op, mask, false, [&](std::uint32_t together) { elect_lane(m, op, together); });
}

void elect_active(Machine& m, const Op& op) { among_active(m, op, elect_lane); }

void fence(Machine& m, const Op& op) {
  // The simulated memory is sequentially consistent, so only the sanitizer needs fences.
  if (m.sanitizer == nullptr || m.executing_lanes(op) == 0) return;
  m.sanitizer->fence(m, (op.immediate & fence_is_narrow) == 0);
  if ((op.immediate & fence_for_async_proxy) != 0) m.sanitizer->fence_for_proxy(m);
}

void sleep(Machine& m, const Op& op) {
  if (m.executing_lanes(op) == 0) return;
  m.warp->polled_memory = true;
  m.yield_if_polling();
}

}  // namespace warpwalk::gpu::handlers
