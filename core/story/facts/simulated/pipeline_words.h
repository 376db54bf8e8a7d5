#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/gpu/history/pipeline/block_pipeline.h"
#include "core/run/replay/time_travel.h"
#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// "warp 4", "warps 0 to 3".
std::string warps_text(const Narration& narration, std::uint32_t first, std::uint32_t count);
/// The same for any warps, ascending: "warps 0 to 3, 6".
std::string warps_text(const Narration& narration, const std::vector<std::uint32_t>& warps);

/// "mbarrier 2": they are numbered from 1 by their place in shared memory.
std::string mbarrier_text(const Narration& narration, std::size_t index);
/// Its place in shared memory: "`full` at byte 8"; "byte 4608" without a variable.
std::string mbarrier_place(const run::TimeTravel& travel, const gpu::MbarrierLife& mbarrier);

/// "1 arrival and 8,192 bytes"; "nothing" if the phase lacks nothing.
std::string lacking_text(const Narration& narration, const gpu::MbarrierCount& count);

/// The role of a group of warps in the pipeline of its block.
std::string role_text(const Narration& narration, gpu::WarpRole role);

/// "12 bulk copies, 6 products": what the warps issue in the life of the block.
std::string tasks_text(const Narration& narration, const gpu::TaskCounts& tasks);

/// "phase 2 of mbarrier 1": what the first waiting warp of a group waits for at the beginning of a cycle; empty if none
/// waits for an mbarrier.
std::string group_phase_text(const Narration& narration, const gpu::BlockPipeline& pipeline,
                             const gpu::WarpGroup& group, std::int64_t cycle);

/// "warps 0 to 3 wait for phase 2 of mbarrier 1, which lacks 1 arrival and 8,192 bytes": the warps of a group that wait
/// for an mbarrier at the beginning of a cycle; empty if none does.
std::string group_wait_text(const Narration& narration, const gpu::BlockPipeline& pipeline, const gpu::WarpGroup& group,
                            std::int64_t cycle);

}  // namespace warpwalk::story
