#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/gpu/timing/estimate/scheduling.h"

namespace warpwalk::gpu {

namespace {

constexpr std::size_t counters = 6, no_position = std::numeric_limits<std::size_t>::max();

/// Chooses the counters of one block.
class CounterChoice {
 public:
  CounterChoice(CodeBlock& block, const std::unordered_set<std::int32_t>& overwritten, std::size_t first_counter)
      : overwritten_(overwritten), first_(first_counter) {
    for (CodeBlock::Part& part : block.parts)
      for (EstimatedInstruction& i : part.instructions) list_.push_back(&i);
  }

  void run() {
    find_uses();
    for (std::size_t at = 0; at < list_.size(); ++at) {
      EstimatedInstruction& i = *list_[at];
      if (i.folded) continue;
      if (i.timing.kind == InstructionKind::copy_group) i.timing.write_counter = 0;
      if (i.counted && !i.writes.empty()) i.timing.write_counter = choose(at, first_use_[at], i.timing.is_long());
      if (i.timing.queued() && first_overwrite_[at] != no_position)
        i.timing.read_counter = choose(at, first_overwrite_[at], false);
    }
  }

 private:
  struct Counter {
    std::size_t until = 0;        ///< the instruction that waits for it
    std::size_t free_places = 0;  ///< further producers that may share it
    bool is_long = false;
  };

  /// Finds where each result is first used or overwritten, and where operands of queued instructions are overwritten.
  void find_uses() {
    first_use_.assign(list_.size(), no_position);
    first_overwrite_.assign(list_.size(), no_position);
    // By register: the instructions whose results it depends on, directly or through folded instructions.
    std::unordered_map<std::int32_t, std::vector<std::size_t>> waits_for, read_by;
    for (std::size_t at = 0; at < list_.size(); ++at) {
      const EstimatedInstruction& i = *list_[at];
      std::vector<std::size_t> through;
      for (const std::int32_t reg : i.reads) {
        const auto found = waits_for.find(reg);
        if (found == waits_for.end()) continue;
        if (i.folded) {
          through.insert(through.end(), found->second.begin(), found->second.end());
        } else {
          for (const std::size_t producer : found->second) first_use_[producer] = std::min(first_use_[producer], at);
          waits_for.erase(found);
        }
      }
      for (const std::int32_t reg : i.writes) {
        if (const auto found = waits_for.find(reg); found != waits_for.end() && !i.folded)
          for (const std::size_t producer : found->second) first_use_[producer] = std::min(first_use_[producer], at);
        if (const auto found = read_by.find(reg); found != read_by.end()) {
          for (const std::size_t reader : found->second)
            first_overwrite_[reader] = std::min(first_overwrite_[reader], at);
          read_by.erase(found);
        }
        waits_for[reg] = through;
        if (i.counted && !i.folded) waits_for[reg] = {at};
      }
      if (i.folded || !i.timing.queued()) continue;
      for (const std::int32_t reg : i.reads) read_by[reg].push_back(at);
    }
    // Operands that a later iteration overwrites. A load has usually been waited for by then.
    for (std::size_t at = 0; at < list_.size(); ++at) {
      const EstimatedInstruction& i = *list_[at];
      if (i.folded || !i.timing.queued() || i.counted || first_overwrite_[at] != no_position) continue;
      if (std::ranges::any_of(i.reads, [&](std::int32_t reg) { return overwritten_.contains(reg); }))
        first_overwrite_[at] = list_.size();
    }
  }

  std::uint8_t choose(std::size_t at, std::size_t until, bool is_long) {
    for (std::size_t k = first_; k < counters; ++k) {
      Counter& counter = in_use_[k];
      if (counter.until > at && counter.free_places > 0 && counter.is_long == is_long && until >= counter.until) {
        --counter.free_places;
        return static_cast<std::uint8_t>(k);
      }
    }
    std::size_t best = no_position;
    for (std::size_t k = first_; k < counters; ++k)
      if (in_use_[k].until <= at && (best == no_position || in_use_[k].until < in_use_[best].until)) best = k;
    if (best != no_position) {
      in_use_[best] = {until, group_size(at, until) - 1, is_long};
      return static_cast<std::uint8_t>(best);
    }
    const auto distance = [&](std::size_t k) {
      const std::size_t other = in_use_[k].until;
      return (other > until ? other - until : until - other) + (in_use_[k].is_long == is_long ? 0 : list_.size());
    };
    best = first_;
    for (std::size_t k = first_ + 1; k < counters; ++k)
      if (distance(k) < distance(best)) best = k;
    in_use_[best].until = std::min(in_use_[best].until, until);
    return static_cast<std::uint8_t>(best);
  }

  static constexpr std::size_t looked_ahead = 512;  ///< instructions

  /// How many of the results that are produced before `until` have to share a counter.
  std::size_t group_size(std::size_t at, std::size_t until) const {
    std::size_t producers = 0, available = 0;
    for (std::size_t k = at; k < std::min({until, list_.size(), at + looked_ahead}); ++k)
      if (!list_[k]->folded && list_[k]->counted && !list_[k]->writes.empty()) ++producers;
    for (std::size_t k = first_; k < counters; ++k) available += in_use_[k].until <= at ? 1 : 0;
    return std::max<std::size_t>(1, (producers + available - 1) / std::max<std::size_t>(1, available));
  }

  const std::unordered_set<std::int32_t>& overwritten_;
  const std::size_t first_;
  std::vector<EstimatedInstruction*> list_;
  std::vector<std::size_t> first_use_, first_overwrite_;
  std::array<Counter, counters> in_use_{};
};

/// By block: 1 if it lies between the target of a backward branch and the branch.
std::vector<std::uint8_t> blocks_in_loops(const std::vector<CodeBlock>& blocks) {
  std::vector<std::uint8_t> cyclic(blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const std::uint32_t to : blocks[b].successors)
      for (std::size_t k = to; k <= b; ++k) cyclic[k] = 1;
  return cyclic;
}

}  // namespace

void assign_counters(std::vector<CodeBlock>& blocks) {
  // Counter 0 is kept for groups of copies if there are any.
  bool copies = false;
  for (const CodeBlock& block : blocks)
    for (const CodeBlock::Part& part : block.parts)
      for (const EstimatedInstruction& i : part.instructions)
        copies = copies || i.timing.kind == InstructionKind::copy_group;
  const std::vector<std::uint8_t> cyclic = blocks_in_loops(blocks);
  std::unordered_set<std::int32_t> in_loops;
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (cyclic[b] == 0) continue;
    for (const CodeBlock::Part& part : blocks[b].parts)
      for (const EstimatedInstruction& i : part.instructions) in_loops.insert(i.writes.begin(), i.writes.end());
  }
  const std::unordered_set<std::int32_t> none;
  for (std::size_t b = 0; b < blocks.size(); ++b)
    CounterChoice(blocks[b], cyclic[b] != 0 ? in_loops : none, copies ? 1 : 0).run();
}

}  // namespace warpwalk::gpu
