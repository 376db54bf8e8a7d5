#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

// The beats and the stages of the scenes, in the order of the storyboard; core/story/scene_list.cpp lists them. What a
// scene declares for its own files is in NAME/NAME.h; a picture that has a painter is in NAME/picture.h.

/// Scene 1: the CPU runs the op down to the launch, and the launch returns before the kernel ends.
const Contents& boardroom_scene();

/// Scene 2: an op becomes machine code. The dispatcher finds the op's function, the function launches a kernel, and the
/// kernel consists of the GPU's instructions.
const Contents& translator_scene();

/// Scene 3: the op's memory. The allocator finds a block for it, and tensors lie in blocks of GPU memory.
const Contents& warehouse_scene();

/// Scene 4: the launch waits in its stream, crosses to the GPU, and its grid is handed out to the SMs in waves.
/// Controls: launch.grid (blocks), launch.block (threads per block), launch.gpu (0 as recorded, 1 to 3 the described
/// GPUs of 2, 8 and 132 SMs), launch.placement (0 recorded, 1 simulated; only if one was recorded), and launch.follow
/// (a block's number), which is set by pointing.
const Contents& launch_scene();

/// Scene 5, the VP: one SM takes thread blocks until one of its resources runs out.
const Contents& sm_scene();

/// Scene 6, the regional managers: the warp schedulers of one SM, cycle by cycle.
const Contents& schedulers_scene();

/// Scene 7, the workers: one instruction of one warp on its 32 lanes.
const Contents& lanes_scene();

/// Scene 8: the company beside the hardware that it represents, and a receipt of where the time went.
const Contents& map_scene();

/// Beside the storyboard: the first half hour, one number's way on one plane. Its steps are told by the scenes' beats
/// in full. Only walks of a tiled matrix product have it.
const Contents& tour_scene();

/// Beside the storyboard: all ranks of a distributed run (SceneInput::ranks), their collectives, and why one comes
/// late. Controls: collective (number, in the order of the last arrivals) and sort (order of the table).
const Contents& ranks_scene();

/// Beside the storyboard: a GPU core dump (SceneInput::dump): what failed, or who waits for whom. Controls: sm (its
/// number), block (of those that were resident, in the order of the dump), warp (of the block) and lane.
const Contents& crash_scene();

}  // namespace warpwalk::story
