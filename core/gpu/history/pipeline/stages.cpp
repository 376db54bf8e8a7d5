#include "core/gpu/history/pipeline/stages.h"

#include <algorithm>
#include <map>

namespace warpwalk::gpu {

namespace {

using enum PipelineTask;

/// Copies to one stage that belong to the same phase of its mbarrier.
struct Fill {
  std::int64_t started = 0;
  std::optional<std::int64_t> complete = {};
};

bool signals(const StartedCopy& copy, const BlockLog& log, std::uint32_t offset) {
  return std::ranges::any_of(copy.completions, [&](const LoggedBulk::Completion& completion) {
    return completion.barrier == (log.rank << block_rank_shift | offset);
  });
}

std::vector<Fill> fills_of(const BlockLog& log, const MbarrierLife& full) {
  std::vector<Fill> fills;
  for (const StartedCopy& copy : log.copies) {
    if (!signals(copy, log, full.offset)) continue;
    const bool same = !fills.empty() && (!fills.back().complete || copy.cycle <= *fills.back().complete);
    if (same) continue;
    const auto phase = std::ranges::find_if(
        full.phases, [&](const MbarrierPhase& one) { return !one.completed || *one.completed >= copy.cycle; });
    fills.push_back({copy.cycle, phase == full.phases.end() ? std::nullopt : phase->completed});
  }
  return fills;
}

std::optional<std::uint32_t> mbarrier_that_empties(const BlockLog& log, std::uint32_t full) {
  std::map<std::uint32_t, int> votes;
  // What copies signal is full then, not empty.
  const auto is_filled = [&](std::uint32_t offset) {
    return std::ranges::any_of(log.copies, [&](const StartedCopy& copy) { return signals(copy, log, offset); });
  };
  for (const StartedCopy& copy : log.copies)
    if (copy.tested && signals(copy, log, full)) ++votes[*copy.tested];
  std::erase_if(votes, [&](const auto& vote) { return is_filled(vote.first); });
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  if (most == votes.end()) return {};
  return most->first;
}

/// The first cycle from `cycle` on in which a phase of the mbarrier was completed.
std::optional<std::int64_t> next_completion(const std::vector<MbarrierLife>& mbarriers, std::uint32_t offset,
                                            std::int64_t cycle) {
  const auto life = std::ranges::find(mbarriers, offset, &MbarrierLife::offset);
  if (life == mbarriers.end()) return {};
  for (const MbarrierPhase& phase : life->phases)
    if (phase.completed && *phase.completed >= cycle) return phase.completed;
  return {};
}

}  // namespace

std::vector<WarpGroup> groups_of(const BlockLog& log) {
  const auto any = [&](PipelineTask task) {
    return std::ranges::any_of(log.warps, [&](const TaskCounts& tasks) { return count_of(tasks, task) != 0; });
  };
  const bool copies = any(bulk_load) || any(copy);
  std::vector<WarpGroup> groups;
  for (std::uint32_t warp = 0; warp < log.warps.size(); ++warp) {
    const TaskCounts& tasks = log.warps[warp];
    const auto does = [&](PipelineTask task) { return count_of(tasks, task) != 0; };
    const bool fills = copies ? does(bulk_load) || does(copy) : does(store);
    const bool reads = does(product) || does(load) || does(bulk_store);
    const WarpRole role = fills && reads ? WarpRole::both
                          : fills        ? WarpRole::producer
                          : reads        ? WarpRole::consumer
                                         : WarpRole::other;
    if (groups.empty() || groups.back().role != role) groups.push_back({warp, 0, role, {}});
    WarpGroup& group = groups.back();
    ++group.count;
    for (std::size_t i = 0; i < pipeline_tasks; ++i) group.tasks[i] += tasks[i];
  }
  return groups;
}

const StageSpan* PipelineStage::at(std::int64_t cycle) const {
  const auto after = std::ranges::upper_bound(spans, cycle, {}, &StageSpan::from);
  return after == spans.begin() ? nullptr : &*(after - 1);
}

std::vector<PipelineStage> stages_of(const BlockLog& log, const std::vector<MbarrierLife>& mbarriers) {
  std::vector<PipelineStage> stages;
  for (const MbarrierLife& life : mbarriers) {
    const std::vector<Fill> fills = fills_of(log, life);
    if (fills.empty()) continue;
    PipelineStage& stage = stages.emplace_back();
    stage.full = life.offset;
    stage.empty = mbarrier_that_empties(log, life.offset);
    std::int64_t at = log.from;
    const auto until = [&](std::int64_t to, StageState state, std::uint32_t round) {
      to = std::min(to, log.to);
      if (to <= at) return;
      stage.spans.push_back({at, to, state, round});
      at = to;
    };
    for (std::size_t i = 0; i < fills.size(); ++i) {
      const auto round = static_cast<std::uint32_t>(i + 1);
      until(fills[i].started, StageState::empty, round - 1);
      until(fills[i].complete.value_or(log.to), StageState::filling, round);
      if (!fills[i].complete) break;
      const std::int64_t next = i + 1 < fills.size() ? fills[i + 1].started : log.to;
      const auto freed =
          stage.empty ? next_completion(mbarriers, *stage.empty, *fills[i].complete) : std::optional<std::int64_t>();
      until(std::min(next, freed.value_or(next)), StageState::full, round);
    }
    until(log.to, StageState::empty, static_cast<std::uint32_t>(fills.size()));
  }
  std::ranges::stable_sort(stages, {}, [](const PipelineStage& stage) {
    return stage.spans.size() > 1 ? stage.spans[1].from : std::int64_t{0};
  });
  return stages;
}

}  // namespace warpwalk::gpu
