#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// A file on its way from NVMe drives to GPU memory: through the page cache, by direct I/O into a pinned buffer, and by
/// cuFile straight into GPU memory (GPUDirect Storage). Controls: route, gds (available or compatibility mode), file
/// (MiB), chunk (KiB), depth (chunks in flight), threads (that copy), drives, drive, link, copy, memory (GB/s), latency
/// and request (µs), offset (bytes from a multiple of 4 KiB), and, set by pointing, call.
std::vector<Beat> storage_beats(const Trace& trace, const Walk& walk);
Stage storage(const SceneInput& input);

}  // namespace warpwalk::story
