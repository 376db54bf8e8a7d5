#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// malloc and free against PyTorch's caching allocator: costs, rules, a plan step by step, fragmentation, settings; and
/// with a memory snapshot (torch.cuda.memory._dump_snapshot), its segments, blocks, lines of Python, history and
/// verdict. Controls: elements (of one request), plan, step, setting, batches, batch, kept, wanted (MiB), limit (MiB),
/// edit, and for the own plan what_N and size_N; with a snapshot device, entry, callers (frames further out), and, set
/// by pointing, segment and block.
std::vector<Beat> allocator_beats(const Trace& trace, const Walk& walk);
Stage allocator(const SceneInput& input);

}  // namespace warpwalk::story
