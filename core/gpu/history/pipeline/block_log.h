#pragma once

// This folder shows how the warps of a block hand data to one another through shared memory: mbarriers and their
// phases, asynchronous copies, stages that are filled and freed. block_log records it from a replay; the rest are
// functions of that record.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/gpu/exec/run/mbarrier_state.h"
#include "core/gpu/history/sm_replay.h"

namespace warpwalk::gpu {

/// What an instruction does with shared memory, or to order accesses to it.
enum class PipelineTask : std::uint8_t {
  bulk_load,      ///< starts a bulk copy to shared memory
  bulk_store,     ///< starts one from shared memory
  copy,           ///< cp.async
  copy_wait,      ///< waits for groups of cp.async or of bulk stores
  store,          ///< plain stores to shared memory
  load,           ///< plain loads from shared memory, ldmatrix
  product,        ///< mma, wgmma
  arrival,        ///< arrives at an mbarrier or announces bytes
  test,           ///< tests an mbarrier's phase, or waits for it
  named_barrier,  ///< bar.sync, bar.arrive
  none,
};
constexpr std::size_t pipeline_tasks = static_cast<std::size_t>(PipelineTask::none);

/// How often a warp issued instructions of each task.
using TaskCounts = std::array<std::uint64_t, pipeline_tasks>;
inline std::uint64_t count_of(const TaskCounts& counts, PipelineTask task) {
  return counts[static_cast<std::size_t>(task)];
}

/// An mbarrier after a change.
struct MbarrierChange {
  std::int64_t cycle = 0;
  std::uint32_t offset = 0;  ///< in the block's shared window
  MbarrierState state;
  bool initialized = false;       ///< by this change
  std::uint32_t warp = no_index;  ///< of the block, if its instruction made the change; else copies or another block
  std::uint32_t instruction = no_index;
};

/// A warp that waits for the end of a phase.
struct MbarrierWait {
  std::uint32_t warp = 0, instruction = 0, offset = 0;
  bool odd = false;                       ///< parity of the phase
  std::int64_t from = 0;                  ///< the first test that failed
  std::optional<std::int64_t> left = {};  ///< the warp went on to something else
};

/// A bulk copy to shared memory that a warp of the block started.
struct StartedCopy {
  std::int64_t cycle = 0;
  std::uint32_t warp = 0, instruction = 0;
  std::vector<LoggedBulk::Completion> completions;
  std::optional<std::uint32_t> tested = {};  ///< offset of the mbarrier that the warp tested last before
  std::uint64_t bytes() const;
};

/// A barrier of the block (bar.sync) after a change.
struct NamedBarrierChange {
  std::int64_t cycle = 0;
  std::uint32_t number = 0, arrived = 0, expected = 0;  ///< threads; expected 0: all live threads
  bool in_use = false;                                  ///< some threads wait or have arrived
};

/// What the warps of one block did in the cycles from `from` until before `to`. All lists ascend by cycle.
struct BlockLog {
  std::uint64_t block = 0;
  std::uint32_t rank = 0;  ///< of the block in its cluster
  std::int64_t from = 0, to = 0;
  bool ended = false;  ///< all threads of the block have ended
  std::vector<TaskCounts> warps;
  std::vector<std::vector<MbarrierWait>> waits;  ///< by warp
  std::vector<MbarrierChange> changes;
  std::vector<StartedCopy> copies;
  std::vector<NamedBarrierChange> named_barriers;
};

/// Runs the replay through the cycles from a block's start until it ends, at most until before `to`. `program` is that
/// of the replay. An arrival counts in the cycle in which its instruction issues, as in the simulated shared memory.
BlockLog watch_block(SmReplay& replay, const Program& program, std::uint64_t block, std::int64_t from, std::int64_t to);

/// Whether the mbarriers of a program have the form of machine code before sm_90 (Layout80).
bool has_older_mbarriers(const Program& program);

/// What each instruction of a program does.
std::vector<PipelineTask> tasks_of(const Program& program);

}  // namespace warpwalk::gpu
