#include "core/gpu/exec/run/infinite_loop.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "core/gpu/exec/machine/handlers.h"
#include "core/gpu/exec/machine/machine_code_handlers.h"
#include "core/gpu/exec/shadow/control_dependencies.h"

namespace warpwalk::gpu {

namespace {

/// Operations to run while collecting the basic blocks of the loop.
constexpr int discovery_operations = 4096;
/// Operations within which the loop's state must repeat: at least `patience`, and at least issued / operations_share.
constexpr std::uint64_t minimum_operations = 1 << 15;
constexpr std::uint64_t operations_share = 32;
/// If the state depends on memory, it must repeat in this many checks, after at least this many operations in total.
constexpr std::uint32_t required_repetitions = 3;
constexpr std::uint64_t minimum_total_operations = 1 << 24;

/// True if the warp's progress past this op may depend on other warps or on time.
bool depends_on_others(const Machine& m, const Op& op) {
  if (op.run == handlers::barrier) return m.block->warps.size() > 1;
  if (op.run == handlers::load || op.run == handlers::store) return m.program.accesses[op.table_index].communicates;
  return op.run == handlers::atomic || op.run == handlers::sleep || op.run == handlers::read_clock ||
         op.run == handlers::call || op.run == handlers::call_address || op.run == handlers::call_indirect ||
         op.run == handlers::return_from || op.run == handlers::change_mbarrier || op.run == handlers::test_mbarrier ||
         op.run == handlers::arrive_at_mbarrier || op.run == handlers::arrive_at_older_mbarrier ||
         op.run == handlers::check_mbarrier_phase || op.run == handlers::print || op.run == handlers::cluster_arrive ||
         op.run == handlers::cluster_wait;
}

/// Snapshot of the warp's splits and of the deciding registers of a function.
class State {
 public:
  State(const Machine& m, const std::vector<FramePlace>& places) : m_(m), places_(places) {
    frame_ = next_split(*m.warp)->frame;
    for (const FramePlace& place : places)
      values_.insert(values_.end(), frame() + place.offset, frame() + place.offset + place.bytes);
    splits_ = splits();
  }

  /// True if the current state equals the snapshot. Fails fast in a loop with a counter.
  bool repeats() const {
    const std::uint8_t* was = values_.data();
    for (const auto& [offset, bytes] : places_) {
      if (std::memcmp(frame() + offset, was, bytes) != 0) return false;
      was += bytes;
    }
    return splits_ == splits();
  }

  /// Hash of the current state.
  std::uint64_t hash() const {
    std::uint64_t sum = 0xcbf29ce484222325;
    const auto add = [&sum](std::uint32_t word) { sum = (sum ^ word) * 0x100000001b3; };
    for (const auto& [offset, bytes] : places_) {
      for (std::uint32_t i = 0; i < bytes; i += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, frame() + offset + i, 4);
        add(word);
      }
    }
    for (const std::uint32_t word : splits()) add(word);
    return sum;
  }

 private:
  const std::uint8_t* frame() const { return m_.warp->registers.data() + frame_; }

  /// The splits in scheduling order, independent of their indices.
  std::vector<std::uint32_t> splits() const {
    std::vector<const Split*> all;
    for (const Split& split : m_.warp->splits) {
      if (split.state != SplitState::unused) all.push_back(&split);
    }
    std::sort(all.begin(), all.end(), [](const Split* a, const Split* b) { return a->priority < b->priority; });
    std::vector<std::uint32_t> words;
    for (const Split* const split : all) {
      words.insert(words.end(), {static_cast<std::uint32_t>(split->state), split->pc, split->mask, split->frame,
                                 split->reconverge, split->barrier});
    }
    return words;
  }

  const Machine& m_;
  std::uint32_t frame_ = 0;
  const std::vector<FramePlace>& places_;
  std::vector<std::uint8_t> values_;
  std::vector<std::uint32_t> splits_;
};

/// Runs a warp in small steps while its progress does not depend on others.
class Walker {
 public:
  Walker(Machine& machine, BlockState& block, Warp& warp) : m_(machine), block_(block), warp_(warp) { look(); }

  /// The next op; null if the turn has ended or the next op may depend on others.
  const Op* next() const { return next_; }
  bool enters_block() const { return next_->run == handlers::enter_block; }
  Pause pause() const { return pause_; }
  /// The backward branch of the outermost loop seen by step().
  const Op* loop() const { return loop_; }

  /// Runs one operation.
  void step() {
    if (next_->run == handlers::branch && next_->backward && (loop_ == nullptr || next_->target < loop_->target))
      loop_ = next_;
    go(1);
  }

  /// Runs a whole basic block if one starts here, otherwise one operation.
  void step_block() {
    std::uint64_t operations = 1;
    if (enters_block()) {
      const auto& blocks = m_.program.blocks;
      const std::size_t after = next_->block + std::size_t{1};
      const std::size_t end = after < blocks.size() ? blocks[after].first : m_.program.ops.size();
      operations = end - blocks[next_->block].first;
    }
    go(operations);
  }

 private:
  void go(std::uint64_t operations) {
    pause_ = m_.run_warp(block_, warp_, operations);
    look();
  }

  void look() {
    next_ = nullptr;
    const Split* const split = next_split(warp_);
    if (pause_ != Pause::quota_used || split == nullptr) return;
    const Op& op = m_.program.ops[split->pc];
    if (!depends_on_others(m_, op)) next_ = &op;
  }

  Machine& m_;
  BlockState& block_;
  Warp& warp_;
  Pause pause_ = Pause::quota_used;
  const Op* next_ = nullptr;
  const Op* loop_ = nullptr;
};

/// Runs until the state at the start of a basic block repeats. Returns true if this proves that the loop is infinite.
bool state_repeats(Machine& m, Walker& walker, const std::set<std::uint32_t>& blocks,
                   const ControlDependencies& deciding) {
  while (walker.next() != nullptr && !walker.enters_block()) walker.step();
  if (walker.next() == nullptr) return false;
  const Op* const anchor = walker.next();
  const State state(m, deciding.places);
  // Summed over a whole iteration, so it does not depend on where in the loop a check starts.
  std::uint64_t round = 0, round_before = 0;
  int rounds = 0;
  const std::uint64_t end =
      m.warp->issued_operations + std::max(minimum_operations, m.warp->issued_operations / operations_share);
  while (m.warp->issued_operations < end) {
    if (deciding.from_memory && walker.enters_block()) round += state.hash();
    walker.step_block();
    if (walker.next() == nullptr) return false;
    if (!walker.enters_block()) continue;
    if (!blocks.contains(walker.next()->block)) return false;
    if (walker.next() != anchor || !state.repeats()) continue;
    if (!deciding.from_memory) return true;
    if (++rounds == 2) break;
    round_before = std::exchange(round, 0);
  }
  LoopWatch& watch = m.warp->watch;
  if (rounds < 2 || round != round_before) {
    watch.repetitions = 0;
    return false;
  }
  watch.repetitions = round == watch.round ? watch.repetitions + 1 : 1;
  watch.round = round;
  return watch.repetitions >= required_repetitions && m.warp->issued_operations >= minimum_total_operations;
}

}  // namespace

const Split* next_split(const Warp& warp) {
  const Split* best = nullptr;
  for (const Split& split : warp.used_splits()) {
    if (split.state == SplitState::ready && (best == nullptr || split.priority > best->priority)) best = &split;
  }
  return best;
}

Pause check_infinite_loop(Machine& m, BlockState& block, Warp& warp) {
  Walker walker(m, block, warp);
  std::set<std::uint32_t> blocks;
  for (int steps = 0; steps < discovery_operations && walker.next() != nullptr; ++steps) {
    blocks.insert(walker.next()->block);
    walker.step();
  }
  if (walker.next() == nullptr) return walker.pause();
  const ControlDependencies deciding = control_dependencies(m.program, blocks, blocks);
  if (!state_repeats(m, walker, blocks, deciding) || walker.loop() == nullptr) return walker.pause();
  m.report_and_stop(
      FindingKind::runaway, *walker.loop(), next_split(warp)->mask,
      deciding.places.empty()
          ? "never leaves this loop: it has no exit condition"
          : "never leaves this loop: everything its condition depends on has the same values as in an earlier "
            "iteration, so the loop repeats forever");
  return Pause::stop;
}

}  // namespace warpwalk::gpu
