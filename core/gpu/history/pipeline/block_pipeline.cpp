#include "core/gpu/history/pipeline/block_pipeline.h"

#include <algorithm>
#include <utility>

namespace warpwalk::gpu {

bool BlockPipeline::is_asynchronous() const {
  return !mbarriers.empty() || !log.copies.empty() || std::ranges::any_of(groups, [](const WarpGroup& group) {
    return count_of(group.tasks, PipelineTask::copy) != 0;
  });
}

bool BlockPipeline::is_specialized() const {
  const auto has = [&](WarpRole role) { return std::ranges::find(groups, role, &WarpGroup::role) != groups.end(); };
  return has(WarpRole::producer) && has(WarpRole::consumer);
}

BlockPipeline::Wait BlockPipeline::wait_of(std::uint32_t warp, std::int64_t cycle) const {
  for (std::size_t i = 0; i < mbarriers.size(); ++i)
    for (const MbarrierPhase& phase : mbarriers[i].phases)
      for (const PhaseWaiter& waiter : phase.waiters)
        if (waiter.warp == warp && waiter.waits_at(cycle)) return {i, &phase, &waiter};
  return {};
}

BlockPipeline::Wait BlockPipeline::longest_wait() const {
  Wait longest;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < mbarriers.size(); ++i)
    for (const MbarrierPhase& phase : mbarriers[i].phases)
      for (const PhaseWaiter& waiter : phase.waiters) {
        const std::int64_t cycles = waiter.to.value_or(log.to) - waiter.from;
        if (cycles < most || (cycles == most && longest.waiter != nullptr && longest.waiter->warp <= waiter.warp))
          continue;
        most = cycles;
        longest = {i, &phase, &waiter};
      }
  return longest;
}

std::vector<std::uint32_t> BlockPipeline::waiting_for(std::size_t mbarrier, std::int64_t cycle) const {
  std::vector<std::uint32_t> warps;
  for (const MbarrierPhase& phase : mbarriers[mbarrier].phases)
    for (const PhaseWaiter& waiter : phase.waiters)
      if (waiter.waits_at(cycle)) warps.push_back(waiter.warp);
  std::ranges::sort(warps);
  const auto repeated = std::ranges::unique(warps);
  warps.erase(repeated.begin(), repeated.end());
  return warps;
}

BlockPipeline::Copies BlockPipeline::copies_of(const WarpGroup& group, std::int64_t before) const {
  Copies sum;
  for (const StartedCopy& copy : log.copies) {
    if (copy.cycle >= before || copy.warp < group.first || copy.warp >= group.first + group.count) continue;
    ++sum.count;
    sum.bytes += copy.bytes();
  }
  return sum;
}

BlockPipeline pipeline_of(BlockLog log) {
  BlockPipeline pipeline;
  pipeline.log = std::move(log);
  pipeline.mbarriers = mbarriers_of(pipeline.log);
  pipeline.groups = groups_of(pipeline.log);
  pipeline.stages = stages_of(pipeline.log, pipeline.mbarriers);
  return pipeline;
}

}  // namespace warpwalk::gpu
