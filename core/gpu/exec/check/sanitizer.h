#pragma once

// This folder has the checks of --sanitize: races and uninitialised reads. Errors that are found without it are in
// core/gpu/exec/run.

#include <cstdint>

#include "core/gpu/exec/check/global_races.h"
#include "core/gpu/exec/check/product_registers.h"
#include "core/gpu/exec/program.h"

namespace warpwalk::gpu {

class Machine;
struct BlockState;
struct Warp;

/// The checks of --sanitize: reads of uninitialised shared and local memory, races in shared and global memory. The
/// state of the blocks is kept in the block (SharedShadow) and in the warp (stack_written, unwritten).
class Sanitizer {
 public:
  explicit Sanitizer(std::size_t global_race_bytes) : global_(global_race_bytes) {}

  /// Lanes access shared memory at these offsets, which are in bounds and aligned.
  void shared(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
              bool atomic) const;
  /// Lanes access global memory at these addresses, which are valid; `places` are the host pointers. Called before
  /// memory changes.
  void global(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes,
              MemoryObserver::Kind kind, const Places& places);
  /// A thread has allocated this memory of the heap: what threads did there before is over.
  void allocated(std::uint64_t address, std::uint64_t bytes);
  /// A value that is only copied, such as the padding of an object or of a bit field, is not reported before it is
  /// used.
  void local(Machine& machine, const Op& op, std::uint32_t mask, const std::uint64_t* at, int bytes, bool writes,
             bool reads) const;

  /// The bytes of a bitwise function whose bits all depend on unwritten ones are unwritten (handlers::carry_unwritten).
  void carry(Machine& machine, const Op& op) const;
  /// The active lanes enter a function whose registers begin at `frame` in Warp::registers.
  void enter_frame(Machine& machine, std::size_t frame) const;

  /// Warps of the block (a bit mask) have synchronized at barrier `id`.
  void block_sync(Machine& machine, std::uint64_t warps, std::uint32_t id) const;
  /// All lanes of the current warp have exited.
  void warp_ended(Machine& machine) const;
  /// The current warp arrives at barrier `id` without waiting.
  void arrive(Machine& machine, std::uint32_t id) const;
  /// Lanes of the current warp have synchronized.
  void warp_sync(Machine& machine, std::uint32_t mask) const;
  /// The current warp is about to execute an op, in a program with products of warp groups.
  void before(Machine& machine, const Op& op) { registers_.before(machine, op); }
  /// The current warp has issued a fence, for the whole GPU or for its block only.
  void fence(Machine& machine, bool for_gpu);
  /// The current warp has issued a fence between the generic and the async proxy.
  void fence_for_proxy(Machine& machine) const;
  /// The current warp has arrived at the cluster's barrier.
  void cluster_arrive(Machine& machine, bool relaxed) const;
  /// A warp of a block of the cluster has waited for a phase of the cluster's barrier.
  void cluster_wait(BlockState& block, const Warp& warp, std::uint32_t phase) const;
  /// The current block has ended: reports accesses of other blocks to its memory that are not ordered before that.
  void leave_cluster(Machine& machine) const;
  /// The block, its cluster or the launch has ended: reports reads of uninitialised memory, except those that were
  /// races.
  void block_ended(Machine& machine) const;
  /// The launch has ended: withdraws findings that later accesses have explained. Returns false if global memory was
  /// too large to check all accesses to it.
  bool launch_ended(FindingList& findings);

 private:
  GlobalRaces global_;
  ProductRegisters registers_;
};

}  // namespace warpwalk::gpu
