#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/gpu/exec/check/report_findings.h"
#include "core/gpu/exec/check/sanitizer.h"
#include "core/gpu/exec/memory/access.h"
#include "core/gpu/exec/memory/footprint.h"
#include "core/gpu/exec/memory/memory.h"
#include "core/gpu/exec/memory/pattern_memo.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/exec/run/block_run.h"
#include "core/gpu/exec/run/warp.h"
#include "core/gpu/exec/tally.h"

namespace warpwalk::gpu {

constexpr std::uint32_t all_lanes = 0xffffffff;

/// What all blocks of a launch share and none changes.
struct LaunchContext {
  const Program* program = nullptr;
  const Launch* launch = nullptr;
  Memory* memory = nullptr;
  const std::uint8_t* parameters = nullptr;  ///< of the kernel, in memory too
  std::uint32_t shared_bytes = 0;            ///< static and dynamic, without what the system keeps
  std::uint32_t threads_per_block = 0, warps_per_block = 0;
  std::uint32_t sms = 0, warps_per_sm = 0;
  const std::vector<std::uint16_t>* placement = nullptr;  ///< SM of each block; null where nobody asks
  double clock_hz = 1e9;
  const std::atomic<bool>* cancel = nullptr;  ///< as in SimulateOptions
  bool atomic_host = false;                   ///< other host threads run blocks at the same time
};

/// Why a warp stopped issuing.
enum class Pause : std::uint8_t {
  running,
  quantum,   ///< its turn is over
  spinning,  ///< waits for memory to change
  waiting,   ///< every lane waits at a barrier
  done,
  stop,  ///< the launch is to end
};

/// A host thread's interpreter: runs the splits of one warp at a time. Handlers (run_*.cpp) see its public members.
class Machine {
 public:
  Machine(const LaunchContext& context, Tally& tally, FindingList& findings, Sanitizer* sanitizer);

  const LaunchContext& context;
  const Program& program;
  Tally& tally;
  FindingList& findings;
  Sanitizer* const sanitizer;  ///< null without --sanitize

  PatternMemos memos;
  Footprint* footprint = nullptr;  ///< where other host threads run blocks at the same time

  BlockRun* block = nullptr;
  Warp* warp = nullptr;
  Split* split = nullptr;
  std::uint32_t pc = 0;      ///< of the op after the one that runs
  std::uint32_t active = 0;  ///< lanes of the split
  std::uint8_t* banks[3] = {};
  bool leave = false;  ///< the split is not to go on
  Pause pause = Pause::running;

  /// Issues up to `limit` operations of a warp.
  Pause run(BlockRun& in, Warp& of, std::uint64_t limit);

  template <class T>
  T* at(Slot slot) const {
    return reinterpret_cast<T*>(banks[slot.bank()] + slot.offset());
  }
  std::uint32_t& predicate(std::int32_t offset) const { return *reinterpret_cast<std::uint32_t*>(banks[0] + offset); }
  /// The active lanes whose guard holds.
  std::uint32_t lanes_of(const Op& op) const {
    if (op.guard < 0) return active;
    const std::uint32_t p = predicate(op.guard);
    return active & (op.guard_negated ? ~p : p);
  }

  /// Parts the split: lanes of `taken` go to `target`, the others go on at pc.
  void part(const Op& op, std::uint32_t taken, std::uint32_t target);
  /// The same for many targets; every active lane has one.
  void part(const Op& op, const std::uint32_t* targets);
  /// The lanes have ended.
  void end(std::uint32_t lanes_ended);
  /// At the begin of a basic block: meets the parent's other parts if this is the place.
  void meet(std::uint32_t here);
  /// Leaves the split where it is, in a state of waiting, at `op`.
  void wait(SplitState state, const Op& op);
  /// A loop's turn is over.
  void turn();

  std::array<std::uint32_t, 3> thread_position(std::uint32_t thread) const;
  std::uint32_t pc_of(const Op& op) const { return static_cast<std::uint32_t>(&op - program.ops.data()); }
  std::uint32_t thread_of(int lane) const { return warp->id * 32 + static_cast<std::uint32_t>(lane); }
  /// Tells of something wrong in these lanes.
  void tell(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message,
            std::optional<std::uint64_t> address = {});
  /// The same of one thread of the block. `other`: the instruction at the far end of a race.
  void tell_thread(FindingKind kind, std::uint32_t instruction, std::uint32_t thread, std::string message,
                   std::optional<std::uint64_t> address, std::uint32_t other = nowhere, std::uint64_t count = 1);
  /// Tells, and ends the launch.
  void stop(FindingKind kind, const Op& op, std::uint32_t in_lanes, std::string message);

  /// Threads of the block have ended: barriers may be complete without them (barrier.cpp).
  void threads_ended();

  std::uint32_t& carry() const { return warp->carry; }
  /// The block's clock: operations that its warps have issued so far.
  std::uint64_t cycles() const { return block->time + (turn_limit - turn_left); }

  /// The region of an address, which is mostly that of the access's last time.
  const Region* region_of(std::size_t access, std::uint64_t address) {
    const Region*& last = regions_[access];
    if (last == nullptr || address - last->base >= last->bytes) last = context.memory->find(address);
    return last;
  }

  /// Notes a piece of global memory as read or written by this host thread.
  void leave_footprint(const Region& region, std::uint64_t address, std::uint64_t bytes, Footprint::Kind kind) {
    if (footprint == nullptr) return;
    const auto index = static_cast<std::size_t>(&region - context.memory->regions().data());
    footprint->touch(index, address - region.base, bytes, kind);
  }

  /// The address of each lane, active or not.
  void addresses(const Op& op, const Access& access, std::uint64_t* at) const;
  /// Finds the host's places of global (and constant) memory. Tells of what is wrong; answers the lanes that may go on.
  std::uint32_t reach(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, Footprint::Kind kind,
                      Places& places);
  /// The same for the block's shared memory; addresses are offsets in it.
  std::uint32_t reach_shared(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                             Places& places, bool atomic = false);
  /// The same for local memory, which has no places: see stack.h.
  std::uint32_t reach_local(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
                            bool atomic = false);

 private:
  bool choose();
  void load();
  void save();
  int fresh();
  void gone(int parent, std::uint32_t arrived);
  bool release();
  void check_written(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes, bool reads,
                     const Region& region);
  std::uint32_t aligned(const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, const char* space);

  std::uint64_t turn_limit = 0, turn_left = 0;
  std::vector<const Region*> regions_;  ///< by access
};

}  // namespace warpwalk::gpu
