#pragma once

// This folder has the state of warps, blocks and clusters, and declares the handlers, which are in core/gpu/exec/run.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/gpu/exec/machine/block_run.h"
#include "core/gpu/exec/machine/warp.h"
#include "core/gpu/exec/memory/access_cost_cache.h"
#include "core/gpu/exec/memory/access_log.h"
#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/memory_observer.h"
#include "core/gpu/exec/memory/texture_table.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/exec/shadow/report_findings.h"
#include "core/gpu/exec/tally.h"

namespace warpwalk::gpu {

constexpr std::uint32_t all_lanes = 0xffffffff;
/// Warps of a warp group, which multiply matrices together (wgmma).
constexpr std::uint32_t warps_per_group = 4;

class DeviceHeap;
class LaunchObserver;
class Machine;
class Sanitizer;

/// State shared by all blocks of a launch; constant while they run.
struct LaunchContext {
  const Program* program = nullptr;
  const Launch* launch = nullptr;
  Memory* memory = nullptr;
  const std::uint8_t* parameters = nullptr;   ///< the kernel's parameters; also a region of `memory`
  const std::uint8_t* bank_values = nullptr;  ///< contents of SlotSpace::bank; null for a program lowered from PTX
  std::uint32_t shared_bytes = 0;             ///< static and dynamic, without the system's reserved bytes
  std::uint32_t threads_per_block = 0, warps_per_block = 0;
  std::array<std::uint32_t, 3> cluster{1, 1, 1};  ///< blocks per cluster
  bool explicit_cluster = false;                  ///< the launch or the kernel asks for clusters
  std::uint32_t sm_count = 0, warps_per_sm = 0;
  const std::vector<std::uint16_t>* sm_of_block = nullptr;  ///< SM of each block; null if no kernel code reads %smid
  double clock_hz = 1e9;
  const TextureTable* textures = nullptr;
  DeviceHeap* heap = nullptr;                              ///< null: the launch cannot allocate
  const std::atomic<bool>* cancel = nullptr;               ///< as in SimulateOptions
  std::uint64_t operation_limit = 0;                       ///< as in SimulateOptions
  std::atomic<std::uint64_t>* block_operations = nullptr;  ///< as in SimulateOptions
  bool concurrent_host_threads = false;                    ///< other host threads run blocks concurrently
  bool shares_memory_with_host = false;                    ///< OuterMemory::shared_with_host of any
};

/// The lanes whose addresses in the shared window are in the block's own memory. Nsight Compute counts accesses to the
/// memory of other blocks of the cluster apart from those to shared memory.
std::uint32_t own_lanes(const Machine& machine, std::uint32_t mask, const std::uint64_t* at);

/// Why a warp stopped issuing.
enum class Pause : std::uint8_t {
  running,
  quota_used,  ///< it issued its quota of operations
  polling,     ///< it polls memory
  waiting,     ///< all lanes wait at a barrier
  done,
  stop,  ///< a finding ends the launch
};

/// Interpreter of one host thread. Runs the splits of one warp at a time. Its public members are for the handlers
/// (handlers.h).
class Machine {
 public:
  Machine(const LaunchContext& context, Tally& tally, FindingList& findings, Sanitizer* sanitizer);

  const LaunchContext& context;
  const Program& program;
  Tally& tally;
  FindingList& findings;
  Sanitizer* const sanitizer;  ///< null without --sanitize

  AccessCostCache access_costs;
  MemoryObserver* memory_observer = nullptr;  ///< null if accesses to global memory are not observed
  AccessLog* access_log = nullptr;            ///< null if the addresses of accesses are not needed
  bool counts_accesses = true;                ///< their sectors and wavefronts, in `tally`
  LaunchObserver* launch_observer = nullptr;  ///< null if operations are not observed

  BlockState* block = nullptr;
  Warp* warp = nullptr;
  Split* split = nullptr;
  std::uint32_t pc = 0;           ///< next op
  std::uint32_t active_mask = 0;  ///< active mask of the split
  std::uint8_t* register_files[4] = {};
  bool stop_split = false;  ///< stop running the current split
  Pause pause = Pause::running;
  bool completes_bytes = false;  ///< the access to shared memory completes bytes of an mbarrier
  /// What makes the current accesses to memory, and the address of the mbarrier that a bulk copy signals.
  AccessedBy accessed_by = AccessedBy::thread;
  std::uint64_t signalled_mbarrier = 0;

  /// Issues up to `limit` operations of a warp. Returns why it stopped.
  Pause run_warp(BlockState& in, Warp& of, std::uint64_t limit);

  /// True if reads of registers that products write are checked (check/product_registers.h).
  bool checks_products() const {
    return sanitizer != nullptr && !program.group_products.empty() && !program.machine_code;
  }

  /// The instruction that the warp would issue next; no_index if none can, because the warp has ended or all of its
  /// lanes wait. Lanes that stand at the start of a basic block enter it.
  std::uint32_t next_instruction(BlockState& in, Warp& of);
  /// Executes the instruction that next_instruction() has just returned for this warp. A branch or a wait may leave
  /// other lanes to run next. Returns the lanes that were active.
  std::uint32_t execute_instruction();

  template <class T>
  T* at(Slot slot) const {
    return reinterpret_cast<T*>(register_files[slot.space()] + slot.offset());
  }
  std::uint32_t& predicate(std::int32_t offset) const {
    return *reinterpret_cast<std::uint32_t*>(register_files[0] + offset);
  }
  /// The active lanes whose predicate is true.
  std::uint32_t executing_lanes(const Op& op) const {
    if (op.guard < 0) return active_mask;
    const std::uint32_t p = predicate(op.guard);
    return active_mask & (op.guard_negated ? ~p : p);
  }

  /// Diverges the split: the lanes in `taken` continue at `target`, the others at pc.
  void diverge(const Op& op, std::uint32_t taken, std::uint32_t target);
  /// Diverges the split; `targets` has one target per active lane.
  void diverge(const Op& op, const std::uint32_t* targets);
  /// Ends these lanes.
  void end_lanes(std::uint32_t lanes_ended);
  /// Called at the start of a basic block: reconverges with the sibling splits if this is their reconvergence point.
  void reconverge(std::uint32_t here);
  /// Ends the splits that wait in `state` at this op with all of their lanes in `lanes`; the current split, which is at
  /// the same op, takes over their lanes.
  void absorb(SplitState state, const Op& op, std::uint32_t lanes);
  /// Stops the split at `op`, in a waiting state.
  void wait(SplitState state, const Op& op);
  /// Lets the other warps of the block run before this one goes on.
  void end_turn() {
    save_split();
    stop_split = true;
    pause = Pause::quota_used;
  }
  /// Called after a backward branch or nanosleep. A split that keeps polling memory lets other splits and warps run
  /// after some iterations.
  void yield_if_polling();

  std::array<std::uint32_t, 3> thread_position(std::uint32_t thread) const;
  std::uint32_t pc_of(const Op& op) const { return static_cast<std::uint32_t>(&op - program.ops.data()); }
  std::uint32_t thread_of(int lane) const { return warp->id * 32 + static_cast<std::uint32_t>(lane); }
  /// The same in the sanitizer's shadow memory, which the blocks of a cluster share.
  std::uint32_t shadow_warp() const { return block->first_warp + warp->id; }
  /// Of the products of the current warp's warp group (SharedShadow::channel).
  std::uint32_t warp_group_channel() const {
    return block->shadow->channel(SharedShadow::ChannelKind::warp_group,
                                  block->first_warp + warp->id / warps_per_group * warps_per_group);
  }
  std::uint32_t shadow_thread(int lane) const { return shadow_warp() * 32 + static_cast<std::uint32_t>(lane); }
  /// Reports a finding for these lanes.
  void report(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message,
              std::optional<std::uint64_t> address = {});
  /// Reports a finding for one thread of the block. `other`: the other instruction of a race.
  void report_thread(FindingKind kind, std::uint32_t instruction, std::uint32_t thread, std::string message,
                     std::optional<std::uint64_t> address, std::uint32_t other = no_index, std::uint64_t count = 1);
  /// Reports a finding and ends the launch.
  void report_and_stop(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message);
  /// True if all 32 lanes are active, as .aligned instructions require. Otherwise, if any lane is active, reports a
  /// finding and ends the launch.
  bool require_full_warp(const Op& op) { return executing_lanes(op) == all_lanes || refuse_partial_warp(op); }

  /// An instruction is about to change an mbarrier at this address, whose bytes are at `place`. For reports of
  /// deadlocks (deadlock.cpp).
  void note_mbarrier(const Op& op, std::uint64_t address, const std::uint8_t* place, MbarrierStep step);
  /// The current warp has tested mbarriers at these addresses; in the lanes `failed`, the phase of this parity has not
  /// completed yet.
  void note_mbarrier_test(const Op& op, std::uint32_t failed, const std::uint64_t* at, bool odd) {
    if (failed == 0) return void(warp->failed_test = {});
    warp->failed_test = {op.instruction, failed, at[std::countr_zero(failed)], odd};
  }

  /// Called after threads of the block end: barriers may now be complete without them (barrier.cpp).
  void threads_ended();
  /// Lets warps of the current warp's group go on whose wait for the others is over (warp_group.cpp).
  void release_warp_group();
  /// Completes the cluster's barrier if all its live threads have arrived (cluster.cpp).
  void complete_cluster_barrier_if_last();

  std::uint32_t& carry() const { return warp->carry; }
  /// The block's clock: operations issued by its warps so far.
  std::uint64_t issued_operations() const { return block->issued_operations + (turn_limit - turn_left); }

  /// The region that contains an address; null if none does. Caches the last region per access.
  const Region* region_of(std::size_t access, std::uint64_t address) {
    const Region*& last = regions_[access];
    if (last == nullptr || address - last->base >= last->bytes) last = context.memory->find(address);
    return last;
  }

  /// Tells the observer, if there is one, of the access to a range of global memory that follows.
  void observe_access(const Region& region, std::uint64_t address, std::uint64_t bytes, MemoryObserver::Kind kind) {
    if (memory_observer == nullptr) return;
    const auto index = static_cast<std::size_t>(&region - context.memory->regions().data());
    memory_observer->before_access(index, address - region.base, bytes, kind);
  }

  /// Computes the address of every lane, active or not.
  void addresses(const Op& op, const Access& access, std::uint64_t* at) const;
  /// Translates global (and constant) addresses to host pointers. Reports invalid accesses; returns the valid lanes.
  std::uint32_t translate_global(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
                                 MemoryObserver::Kind kind, Places& places);
  /// The same for the block's shared memory; addresses are offsets in the shared window.
  std::uint32_t translate_shared(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                                 Places& places, bool atomic = false);
  /// The same for local memory, which has no host pointers (see stack.h).
  std::uint32_t translate_local(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                                bool atomic = false);

 private:
  template <bool Watched, bool Counted>
  void run_turn(std::uint64_t limit, bool observed);
  bool select_split();
  void load_split();
  void save_split();
  int allocate_split();
  void arrive_at_parent(int parent, std::uint32_t arrived);
  bool release_blocked_split();
  bool release_convergence();
  /// Called when no split of the warp can issue: lanes that wait for others of the warp, which wait for them, continue.
  bool release_stuck_lanes();
  bool refuse_partial_warp(const Op& op);
  void check_initialised(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes, bool reads,
                         const Region& region);
  /// For lanes whose addresses are in the shared memory of other blocks of the cluster.
  std::uint32_t translate_remote(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                                 Places& places);
  std::uint32_t check_alignment(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
                                const char* space);

  std::uint64_t turn_limit = 0, turn_left = 0;
  std::vector<const Region*> regions_;  ///< last region, by access
};

inline void Machine::load_split() {
  pc = split->pc;
  active_mask = split->mask;
  register_files[0] = warp->registers.data() + split->frame;
}

inline void Machine::save_split() {
  split->pc = pc;
  split->mask = active_mask;
}

inline bool Machine::select_split() {
  Split* best = nullptr;
  for (Split& candidate : warp->used_splits()) {
    if (candidate.state != SplitState::ready) continue;
    if (best == nullptr || candidate.priority > best->priority) best = &candidate;
  }
  split = best;
  return best != nullptr;
}

}  // namespace warpwalk::gpu
