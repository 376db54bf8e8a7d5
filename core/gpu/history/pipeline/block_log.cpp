#include "core/gpu/history/pipeline/block_log.h"

#include <algorithm>
#include <bit>
#include <map>

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"

namespace warpwalk::gpu {

namespace {

PipelineTask task_of_op(const Program& program, const Op& op, ptx::Opcode opcode) {
  using enum PipelineTask;
  const Handler run = op.run;
  if (run == handlers::copy_async) return copy;
  if (run == handlers::wait_for_copies || run == handlers::wait_for_all_copies) return copy_wait;
  if (run == handlers::copy_contiguous || run == handlers::copy_tensor) {
    const BulkCopy::Kind kind = program.bulk_copies[op.table_index].kind;
    return kind == BulkCopy::Kind::load || kind == BulkCopy::Kind::exchange ? bulk_load : bulk_store;
  }
  if (run == handlers::multiply_matrices || run == handlers::multiply_warp_group) return product;
  if (run == handlers::test_mbarrier || run == handlers::check_mbarrier_phase ||
      opcode == ptx::Opcode::mbarrier_test_wait)
    return test;
  if (run == handlers::change_mbarrier || run == handlers::arrive_at_mbarrier ||
      run == handlers::arrive_at_older_mbarrier || opcode == ptx::Opcode::mbarrier_init)
    return arrival;
  if (run == handlers::barrier) return named_barrier;
  return none;
}

bool initializes(ptx::Opcode opcode) { return opcode == ptx::Opcode::mbarrier_init; }

class BlockRecorder final : public SmObserver {
 public:
  BlockRecorder(const Program& program, BlockLog& log)
      : program_(program), tasks_(tasks_of(program)), older_(has_older_mbarriers(program)), log_(log) {}

  const BlockState* block = nullptr;  ///< null: it is not on the SM yet

  void issued(const IssuedInstruction& what, const std::vector<LoggedAccess>& accesses) override {
    if (what.warp.block != log_.block) return;
    at_ = what;
    const PipelineTask task = tasks_[what.instruction];
    const bool fresh = initializes(program_.sources[what.instruction].instruction->opcode);
    resize(what.warp.warp);
    // An estimated schedule issues an instruction of PTX in several parts, one after the other.
    const bool goes_on =
        !program_.machine_code && task != PipelineTask::none && last_issue_[what.warp.warp] == what.instruction + 1;
    last_issue_[what.warp.warp] = what.instruction + 1;
    if (what.executing != 0 && !fresh && !goes_on) add(what.warp.warp, task, accesses);
    if (block == nullptr) return;
    if (task == PipelineTask::arrival || task == PipelineTask::test) {
      for (const LoggedAccess& access : accesses) know(access, fresh && access.writes);
      take_changes(what.cycle, what.warp.warp, what.instruction);
    }
    if (task == PipelineTask::test) {
      if (!accesses.empty() && accesses.front().mask != 0)
        last_test_[what.warp.warp] = offset_of(accesses.front().at[first_lane(accesses.front())]);
      take_test();
    } else if (task != PipelineTask::none && what.executing != 0) {
      leave(what.warp.warp);
    }
  }

  void copied(const std::vector<LoggedBulk>& copies) override {
    if (at_.warp.block != log_.block) return;
    for (const LoggedBulk& copy : copies) {
      if (copy.writes) continue;
      StartedCopy& started = log_.copies.emplace_back();
      started = {at_.cycle, at_.warp.warp, at_.instruction, copy.completions};
      if (const auto test = last_test_.find(at_.warp.warp); test != last_test_.end()) started.tested = test->second;
      for (const LoggedBulk::Completion& completion : copy.completions)
        if (completion.barrier >> block_rank_shift == log_.rank) know(offset_of(completion.barrier), false);
    }
  }

  void spent(const WarpPlace&, std::int64_t, std::int64_t, StallReason, std::uint32_t) override {}
  void answered(const RequestTrip&) override {}
  void returned(const WarpPlace&, std::int64_t, unsigned, std::uint32_t, bool) override {}

  /// The changes that no instruction of the block made: bytes of copies, arrivals of other blocks.
  void end_cycle(std::int64_t cycle) {
    take_changes(cycle, no_index, no_index);
    for (std::uint32_t i = 0; i < BlockState::barrier_count; ++i) {
      const BarrierState& state = block->barriers[i];
      NamedBarrierChange& known = named_[i];
      if (known.in_use == state.in_use && known.arrived == state.arrived) continue;
      known = {cycle, i, state.arrived, state.expected, state.in_use};
      log_.named_barriers.push_back(known);
    }
  }

 private:
  struct Known {
    std::uint64_t bits = 0;
    bool fresh = true;  ///< its state has not been recorded yet
    bool initialized = false;
  };

  static std::size_t first_lane(const LoggedAccess& access) {
    return static_cast<std::size_t>(std::countr_zero(access.mask));
  }
  static std::uint32_t offset_of(std::uint64_t address) {
    return static_cast<std::uint32_t>(address & (window_bytes - 1));
  }

  void resize(std::uint32_t warp) {
    if (log_.warps.size() > warp) return;
    log_.warps.resize(warp + 1);
    log_.waits.resize(warp + 1);
  }

  void add(std::uint32_t warp, PipelineTask task, const std::vector<LoggedAccess>& accesses) {
    const auto count = [&](PipelineTask what) { ++log_.warps[warp][static_cast<std::size_t>(what)]; };
    if (task != PipelineTask::none) return count(task);
    for (const LoggedAccess& access : accesses) {
      if (access.space != LoggedAccess::Space::shared || access.mask == 0) continue;
      count(access.writes ? PipelineTask::store : PipelineTask::load);
      break;
    }
  }

  void know(std::uint32_t offset, bool initialized) {
    if (block == nullptr || offset < shared_begin || offset - shared_begin + 8 > block->shared.size()) return;
    Known& known = known_[offset];
    known.initialized = known.initialized || initialized;
    known.fresh = known.fresh || initialized;
  }
  void know(const LoggedAccess& access, bool initialized) {
    if (access.space != LoggedAccess::Space::shared) return;
    for (std::uint32_t left = access.mask; left != 0; left &= left - 1) {
      const std::uint64_t address = access.at[static_cast<std::size_t>(std::countr_zero(left))];
      if ((address >> block_rank_shift & 0xff) == log_.rank) know(offset_of(address), initialized);
    }
  }

  void take_changes(std::int64_t cycle, std::uint32_t warp, std::uint32_t instruction) {
    for (auto& [offset, known] : known_) {
      const std::uint64_t bits = mbarrier_bits(block->shared.data() + (offset - shared_begin));
      if (bits == known.bits && !known.fresh) continue;
      MbarrierChange& change = log_.changes.emplace_back();
      change = {cycle, offset,     older_ ? Layout80::state_of(bits) : Layout90::state_of(bits), known.initialized,
                warp,  instruction};
      known = {bits, false, false};
    }
  }

  void leave(std::uint32_t warp) {
    std::vector<MbarrierWait>& waits = log_.waits[warp];
    if (!waits.empty() && !waits.back().left) waits.back().left = at_.cycle;
  }

  bool has_ended(const MbarrierWait& wait) const {
    for (auto change = log_.changes.rbegin(); change != log_.changes.rend() && change->cycle > wait.from; ++change)
      if (change->offset == wait.offset && change->state.odd != wait.odd) return true;
    return false;
  }

  /// After a test: the warp waits if it failed.
  void take_test() {
    const std::uint32_t warp = at_.warp.warp;
    const MbarrierTest& test = block->warps[warp].failed_test;
    const bool own = (test.address >> block_rank_shift & 0xff) == log_.rank;
    if (test.instruction == no_index || !own) return leave(warp);
    std::vector<MbarrierWait>& waits = log_.waits[warp];
    const std::uint32_t offset = offset_of(test.address);
    if (!waits.empty() && !waits.back().left) {
      const MbarrierWait& last = waits.back();
      if (last.offset == offset && last.odd == test.odd && !has_ended(last)) return;
      leave(warp);
    }
    waits.push_back({warp, test.instruction, offset, test.odd, at_.cycle});
  }

  const Program& program_;
  const std::vector<PipelineTask> tasks_;
  const bool older_;
  BlockLog& log_;
  IssuedInstruction at_;
  std::map<std::uint32_t, Known> known_;               ///< mbarriers by offset
  std::map<std::uint32_t, std::uint32_t> last_test_;   ///< by warp
  std::map<std::uint32_t, std::uint32_t> last_issue_;  ///< by warp: one more than the instruction
  std::array<NamedBarrierChange, BlockState::barrier_count> named_;
};

const BlockState* block_of(const SmReplay& replay, std::uint64_t block) {
  for (const WarpState& warp : replay.sm().state().warps)
    if (warp.place.block == block) return warp.block;
  return nullptr;
}

}  // namespace

std::uint64_t StartedCopy::bytes() const {
  std::uint64_t sum = 0;
  for (const LoggedBulk::Completion& completion : completions) sum += completion.bytes;
  return sum;
}

bool has_older_mbarriers(const Program& program) {
  return program.machine_code &&
         std::ranges::any_of(program.ops, [](const Op& op) { return op.run == handlers::arrive_at_older_mbarrier; });
}

std::vector<PipelineTask> tasks_of(const Program& program) {
  std::vector<PipelineTask> tasks(program.sources.size(), PipelineTask::none);
  for (const Op& op : program.ops) {
    if (op.instruction >= tasks.size()) continue;
    const ptx::Instruction* const source = program.sources[op.instruction].instruction;
    const PipelineTask task = task_of_op(program, op, source != nullptr ? source->opcode : ptx::Opcode::none);
    if (task != PipelineTask::none) tasks[op.instruction] = task;
  }
  return tasks;
}

BlockLog watch_block(SmReplay& replay, const Program& program, std::uint64_t block, std::int64_t from,
                     std::int64_t to) {
  BlockLog log;
  log.block = block;
  log.from = from;
  BlockRecorder recorder(program, log);
  to = std::min(to, replay.end());
  std::int64_t cycle = std::max<std::int64_t>(from, 0);
  for (; cycle < to && !log.ended; ++cycle) {
    replay.watch(cycle, cycle + 1, recorder);
    if (recorder.block == nullptr) {
      recorder.block = block_of(replay, block);
      if (recorder.block == nullptr) continue;
      log.rank = recorder.block->cluster_rank;
    }
    recorder.end_cycle(cycle);
    // Its memory is given back when its last warp has left the SM, which is after this cycle.
    log.ended = recorder.block->live_threads == 0;
  }
  log.to = cycle;
  return log;
}

}  // namespace warpwalk::gpu
