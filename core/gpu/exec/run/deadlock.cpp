#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/gpu/exec/check/finding_text.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/run/mbarrier_state.h"
#include "core/gpu/exec/run/run_block.h"

namespace warpwalk::gpu {

namespace {

/// Where a warp of a deadlocked block is.
struct WarpPlace {
  enum class Kind : std::uint8_t { runs, at_barrier, at_cluster_barrier, at_warp_group, at_lanes, at_mbarrier, ended };
  const BlockState* block = nullptr;
  const Warp* warp = nullptr;
  Kind kind = Kind::runs;
  std::uint32_t instruction = no_index;
  std::uint32_t barrier = 0;  ///< number of a named barrier

  bool is_with(const WarpPlace& other) const {
    return block == other.block && kind == other.kind && instruction == other.instruction && barrier == other.barrier;
  }
};
using WarpPlaces = std::vector<WarpPlace>;

WarpPlace place_of_warp(const Machine& m, const BlockState& block, const Warp& warp) {
  using Kind = WarpPlace::Kind;
  WarpPlace place{.block = &block, .warp = &warp};
  if (warp.done()) {
    place.kind = Kind::ended;
    place.instruction = warp.ended_at;
  } else if (const Split* const split = waiting_split(warp)) {
    place.instruction = m.program.ops[split->pc].instruction;
    place.kind = split->state == SplitState::at_barrier           ? Kind::at_barrier
                 : split->state == SplitState::at_cluster_barrier ? Kind::at_cluster_barrier
                 : split->state == SplitState::at_warp_group      ? Kind::at_warp_group
                                                                  : Kind::at_lanes;
    if (place.kind == Kind::at_barrier) place.barrier = split->barrier;
  } else if (warp.failed_test.instruction != no_index) {
    place.kind = Kind::at_mbarrier;
    place.instruction = warp.failed_test.instruction;
  } else {
    for (const Split& ready : warp.used_splits()) {
      if (ready.state != SplitState::ready) continue;
      place.instruction = op_with_source(m, ready.pc).instruction;
      break;
    }
  }
  return place;
}

/// The places of all warps of the block and of its cluster.
WarpPlaces all_places(const Machine& m, const BlockState& block) {
  WarpPlaces places;
  const auto add = [&](const BlockState& of) {
    for (const Warp& warp : of.warps) places.push_back(place_of_warp(m, of, warp));
  };
  if (block.cluster == nullptr) {
    add(block);
  } else {
    for (const BlockState* const other : block.cluster->blocks) add(*other);
  }
  return places;
}

/// The other side of a deadlock: a sentence, and the instruction for its line.
struct OtherSide {
  std::string text;
  std::uint32_t instruction = no_index;
};

/// "warp 4", "warps 4 to 7 of block (1,0,0)": the warps that are where this one is.
std::string warps_text(const WarpPlaces& places, const WarpPlace& place, const BlockState& own) {
  std::uint32_t first = place.warp->id, last = first;
  for (const WarpPlace& other : places) {
    if (!other.is_with(place)) continue;
    if (other.warp->id + 1 == first) --first;
    if (other.warp->id == last + 1) ++last;
  }
  std::string text = first == last ? fmt::format("warp {}", first) : fmt::format("warps {} to {}", first, last);
  if (place.block != &own)
    text += fmt::format(" of block ({},{},{})", place.block->id[0], place.block->id[1], place.block->id[2]);
  return text;
}

/// The phase of an mbarrier that a warp waits for.
std::string phase_text(const Machine& m, const MbarrierTest& test) {
  const auto offset = static_cast<std::uint32_t>(test.address & (window_bytes - 1));
  const std::string place = shared_place(m.program, offset - static_cast<std::uint32_t>(shared_begin));
  return fmt::format("the phase with parity {} of the mbarrier {}{}", test.odd ? 1 : 0,
                     place.starts_with('`') ? "" : "in ", place);
}

/// Where the warps of the other side are. `last_use`: the instruction of their last arrival, or no_index.
OtherSide describe_side(const Machine& m, const WarpPlaces& places, const WarpPlace& place, std::uint32_t last_use) {
  using Kind = WarpPlace::Kind;
  const std::string who = warps_text(places, place, *m.block);
  const bool several = who.starts_with("warps");
  const std::string there = place.instruction == no_index ? std::string() : place_of(m.program, place.instruction);
  const char* const waits = several ? "wait" : "waits";
  switch (place.kind) {
    case Kind::ended:
      if (last_use == no_index) return {fmt::format("{} {} ended", who, several ? "have" : "has"), place.instruction};
      return {fmt::format("{} arrived last at {} and {} ended", who, place_of(m.program, last_use),
                          several ? "have" : "has"),
              last_use};
    case Kind::at_barrier:
      return {fmt::format("{} {} at {}, at barrier {}", who, waits, there, place.barrier), place.instruction};
    case Kind::at_cluster_barrier:
      return {fmt::format("{} {} at {}, at the cluster's barrier", who, waits, there), place.instruction};
    case Kind::at_warp_group:
      return {fmt::format("{} {} at {}, for the other warps of the warp group", who, waits, there), place.instruction};
    case Kind::at_lanes: return {fmt::format("{} {} at {}, for other lanes", who, waits, there), place.instruction};
    case Kind::at_mbarrier:
      return {fmt::format("{} {} at {}, for {}", who, waits, there, phase_text(m, place.warp->failed_test)),
              place.instruction};
    case Kind::runs: return {fmt::format("{} {} in a loop at {}", who, waits, there), place.instruction};
  }
  return {};
}

/// Describes the best candidate: a live warp that has used the barrier before, another live one, one that has used it
/// and has ended, any other. `last_use` returns the instruction of a warp's last arrival there, or no_index.
template <class Candidate, class LastUse>
OtherSide other_side(const Machine& m, const WarpPlaces& places, Candidate is_candidate, LastUse last_use) {
  const WarpPlace* best = nullptr;
  int best_rank = 0;
  for (const WarpPlace& place : places) {
    if (!is_candidate(place)) continue;
    const bool live = place.kind != WarpPlace::Kind::ended, used = last_use(place) != no_index;
    const int rank = live && used ? 4 : used ? 3 : live ? 2 : 1;
    if (rank <= best_rank) continue;
    best = &place;
    best_rank = rank;
  }
  return best == nullptr ? OtherSide{} : describe_side(m, places, *best, last_use(*best));
}

std::string with_side(std::string message, const OtherSide& other) {
  return other.text.empty() ? message : message + "; " + other.text;
}

/// The memory of the mbarrier at an address in the shared window; null if there is none.
const std::uint8_t* memory_of_mbarrier(const Machine& m, std::uint64_t address, const BlockState*& block) {
  const std::uint64_t rank = address >> block_rank_shift;
  block = m.block;
  if (m.block->cluster != nullptr) {
    if (rank >= m.block->cluster->blocks.size()) return nullptr;
    block = m.block->cluster->blocks[rank];
  }
  const std::uint64_t offset = (address & (window_bytes - 1)) - shared_begin;
  if (offset >= block->shared.size() || block->shared.size() - offset < 8) return nullptr;
  return block->shared.data() + offset;
}

std::string counted_text(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

void report_waiter(Machine& m, const WarpPlace& place, std::uint32_t lanes, std::string message, const OtherSide& other,
                   std::optional<std::uint64_t> address = {}) {
  const std::uint32_t thread = place.warp->id * 32 + static_cast<std::uint32_t>(std::countr_zero(lanes));
  m.report_thread(FindingKind::deadlock, place.instruction, thread, std::move(message), address, other.instruction,
                  static_cast<std::uint64_t>(std::popcount(lanes)));
  m.stop_split = true;
  m.pause = Pause::stop;
}

/// What is missing for the phase of an mbarrier that the warp waits for, and where those are that should bring it.
void report_mbarrier(Machine& m, const WarpPlaces& places, const WarpPlace& place) {
  const MbarrierTest& test = place.warp->failed_test;
  const BlockState* owner = nullptr;
  const std::uint8_t* const memory = memory_of_mbarrier(m, test.address, owner);
  if (memory == nullptr) {
    return report_waiter(m, place, test.lanes, "waits for an mbarrier outside of shared memory", {}, test.address);
  }
  const MbarrierState state = Layout90::state_of(mbarrier_bits(memory));
  const auto offset = static_cast<std::uint32_t>(test.address & (window_bytes - 1));
  const auto found = std::ranges::find(owner->mbarriers, offset, &MbarrierUse::offset);
  const MbarrierUse use = found == owner->mbarriers.end() ? MbarrierUse{} : *found;
  // The phase may have ended since its last use was noted.
  const std::uint32_t phase = use.phase + (use.odd != state.odd ? 1 : 0);
  const auto arrival = [&](const WarpPlace& of) {
    return std::ranges::find_if(use.arrivals, [&](const MbarrierUse::Arrival& one) {
      return one.block == of.block->cluster_rank && one.warp == of.warp->id;
    });
  };
  std::string missing;
  if (state.pending != 0) missing = fmt::format("{} of {}", state.pending, counted_text(state.expected, "arrival"));
  if (state.pending_bytes != 0) {
    missing += fmt::format(
        "{}{}", missing.empty() ? "" : " and ",
        state.pending_bytes > 0
            ? fmt::format("{} of copies", counted_text(static_cast<std::uint64_t>(state.pending_bytes), "byte"))
            : fmt::format("the announcement of {} that copies have brought",
                          counted_text(static_cast<std::uint64_t>(-std::int64_t{state.pending_bytes}), "byte")));
  }
  const bool single = state.pending + std::abs(std::int64_t{state.pending_bytes}) == 1;
  std::string message = "waits forever for " + phase_text(m, test);
  message += state.expected == 0 && found == owner->mbarriers.end()
                 ? ", which is not initialized"
                 : fmt::format(": {} {} missing", missing, single ? "is" : "are");
  OtherSide other = other_side(
      m, places,
      [&](const WarpPlace& of) {
        if (of.kind == WarpPlace::Kind::at_mbarrier && of.warp->failed_test.address == test.address) return false;
        const auto last = arrival(of);
        // A warp that has arrived in this phase owes nothing, unless it is bytes that are missing.
        return state.pending == 0 || last == use.arrivals.end() || last->phase != phase;
      },
      [&](const WarpPlace& of) {
        const auto last = arrival(of);
        return last == use.arrivals.end() ? no_index : last->instruction;
      });
  const MbarrierUse::Arrival &expects = use.expectation, &copy = use.copy;
  const bool copied = copy.instruction != no_index && copy.phase == phase;
  if (state.pending == 0 && state.pending_bytes > 0 && expects.instruction != no_index) {
    message += fmt::format("; warp {} announces them at {}", expects.warp, place_of(m.program, expects.instruction));
    message += copied ? fmt::format(", and the copies that have come, the last one of {}, are smaller",
                                    place_of(m.program, copy.instruction))
                      : ", and no copy has come";
    other.instruction = expects.instruction;
  } else if (state.pending_bytes < 0 && copied) {
    message += fmt::format("; warp {} starts the last copy at {}", copy.warp, place_of(m.program, copy.instruction));
    other.instruction = copy.instruction;
  }
  report_waiter(m, place, test.lanes, with_side(std::move(message), other), other, test.address);
}

/// Reports lanes that wait for others at an instruction.
void report_waiting(Machine& m, const WarpPlaces& places, const WarpPlace& place, const Split& split) {
  const auto elsewhere = [&](const WarpPlace& of) { return of.block == place.block && !of.is_with(place); };
  const auto unused = [](const WarpPlace&) { return no_index; };
  if (split.state == SplitState::at_warp_sync) {
    const std::uint32_t missing = split.barrier & place.warp->live_lanes & ~split.mask;
    OtherSide other;
    for (const Split& of : place.warp->used_splits()) {
      if (of.state == SplitState::unused || (of.mask & missing) == 0) continue;
      other.instruction = op_with_source(m, of.pc).instruction;
      other.text = fmt::format("these are at {}", place_of(m.program, other.instruction));
      break;
    }
    const std::string who = missing == 0 ? std::string("lanes") : fmt::format("lane {}", std::countr_zero(missing));
    if (std::popcount(missing) == 1 && !other.text.empty()) other.text.replace(0, 9, "it is");
    return report_waiter(
        m, place, split.mask,
        with_side(fmt::format("waits forever for {} of the member mask {:#010x} to arrive", who, split.barrier), other),
        other);
  }
  if (split.state == SplitState::at_cluster_barrier) {
    const OtherSide other = other_side(
        m, places,
        [&](const WarpPlace& of) {
          return of.kind != WarpPlace::Kind::ended && of.kind != WarpPlace::Kind::at_cluster_barrier;
        },
        unused);
    const ClusterState& cluster = *place.block->cluster;
    return report_waiter(
        m, place, split.mask,
        with_side(fmt::format("waits forever at the cluster's barrier: {} of {} threads of the cluster have "
                              "arrived, and no other thread can",
                              cluster.arrived, cluster.live_threads()),
                  other),
        other);
  }
  if (split.state == SplitState::at_warp_group) {
    const std::uint32_t group = place.warp->id / warps_per_group;
    const OtherSide other = other_side(
        m, places, [&](const WarpPlace& of) { return elsewhere(of) && of.warp->id / warps_per_group == group; },
        unused);
    return report_waiter(
        m, place, split.mask,
        with_side("waits forever for the other warps of its warp group, and none of them can arrive", other), other);
  }
  const BarrierState& barrier = place.block->barriers[split.barrier];
  const std::uint32_t wanted = barrier.expected != 0 ? barrier.expected : place.block->live_threads;
  const OtherSide other = other_side(
      m, places,
      [&](const WarpPlace& of) {
        const bool here = of.kind == WarpPlace::Kind::at_barrier && of.barrier == split.barrier;
        return of.block == place.block && !here && (barrier.expected != 0 || of.kind != WarpPlace::Kind::ended);
      },
      [&](const WarpPlace& of) { return of.warp->barrier_uses[split.barrier]; });
  report_waiter(
      m, place, split.mask,
      with_side(fmt::format("waits forever at barrier {}: {} of {} threads have arrived, and no other thread can",
                            split.barrier, barrier.arrived, wanted),
                other),
      other);
}

}  // namespace

const Split* waiting_split(const Warp& warp) {
  for (const Split& split : warp.used_splits())
    if (split.state == SplitState::at_barrier || split.state == SplitState::at_warp_sync ||
        split.state == SplitState::at_cluster_barrier || split.state == SplitState::at_warp_group)
      return &split;
  return nullptr;
}

const Op& op_with_source(const Machine& m, std::uint32_t pc) {
  while (m.program.ops[pc].instruction == no_index) ++pc;
  return m.program.ops[pc];
}

void report_deadlock(Machine& m, BlockState& block, bool spinning, const std::string& absent_blocks) {
  m.block = &block;
  const WarpPlaces places = all_places(m, block);
  for (Warp& warp : block.warps) {
    if (warp.done()) continue;
    m.warp = &warp;
    WarpPlace place = place_of_warp(m, block, warp);
    if (!spinning) {
      const Split* const split = waiting_split(warp);
      if (split == nullptr) continue;
      return report_waiting(m, places, place, *split);
    }
    const auto ready = std::ranges::find(warp.used_splits(), SplitState::ready, &Split::state);
    if (ready == warp.used_splits().end()) continue;
    if (warp.failed_test.instruction != no_index) {
      place.kind = WarpPlace::Kind::at_mbarrier;
      place.instruction = warp.failed_test.instruction;
      report_mbarrier(m, places, place);
    } else {
      place.kind = WarpPlace::Kind::runs;
      place.instruction = op_with_source(m, ready->pc).instruction;
      OtherSide other = other_side(
          m, places,
          [&](const WarpPlace& of) {
            return of.warp != &warp && of.kind != WarpPlace::Kind::ended && of.instruction != place.instruction;
          },
          [](const WarpPlace&) { return no_index; });
      if (const Split* const lanes = waiting_split(warp); lanes != nullptr && other.text.empty()) {
        other.instruction = m.program.ops[lanes->pc].instruction;
        other.text = fmt::format("other lanes of its warp wait at {}", place_of(m.program, other.instruction));
      }
      report_waiter(
          m, place, ready->mask,
          with_side("waits in a loop for memory to change, but no remaining thread can change it" + absent_blocks,
                    other),
          other);
    }
    if (m.sanitizer != nullptr) m.sanitizer->block_ended(m);
    return;
  }
}

void Machine::note_mbarrier(const Op& op, std::uint64_t address, const std::uint8_t* place, MbarrierStep step) {
  BlockState* owner = block;
  if (block->cluster != nullptr) owner = block->cluster->blocks[address >> block_rank_shift];
  const auto offset = static_cast<std::uint32_t>(address & (window_bytes - 1));
  auto use = std::ranges::find(owner->mbarriers, offset, &MbarrierUse::offset);
  if (use == owner->mbarriers.end()) use = owner->mbarriers.insert(use, MbarrierUse{.offset = offset, .arrivals = {}});
  const bool odd = place[7] >> 7 != 0;
  if (std::exchange(use->odd, odd) != odd) ++use->phase;
  const MbarrierUse::Arrival now{block->cluster_rank, warp->id, op.instruction, use->phase};
  if (step == MbarrierStep::copies) use->copy = now;
  if (step == MbarrierStep::expects || step == MbarrierStep::arrives_and_expects) use->expectation = now;
  if (step == MbarrierStep::copies || step == MbarrierStep::expects) return;
  for (MbarrierUse::Arrival& known : use->arrivals) {
    if (known.block != now.block || known.warp != now.warp) continue;
    known = now;
    return;
  }
  use->arrivals.push_back(now);
}

}  // namespace warpwalk::gpu
