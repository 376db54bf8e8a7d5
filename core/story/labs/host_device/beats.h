#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Allocation, copies, a kernel and the way back, as recorded on an H200 (assets/devices/h200_host_device.csv):
/// pageable, pinned, mapped and managed memory, what each call makes the CPU wait for, from when on a GPU with copies
/// is faster than the CPU, and what mistakes with pointers give. Controls: size (number in the list of recorded sizes),
/// way (kind of memory), advice (of managed memory), uses (kernels on the same data), adds (multiply-adds per element),
/// pinned (copies of the comparison), and, set by pointing, step and mistake.
std::vector<Beat> host_device_beats(const Trace& trace, const Walk& walk);
Stage host_device(const SceneInput& input);

}  // namespace warpwalk::story
