#pragma once

#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// Copies, kernels, events and synchronization on several streams: what overlaps and what waits, recorded and
/// scheduled; graphs against single launches. Controls: preset (of the program), streams, default (stream), host
/// (memory), engines (for copies), call (µs of the CPU), pN_usM (µs of call M of preset N, shown for the chosen call),
/// inside (what the default stream runs), events (program with events), kernel (of the measured series), and, set by
/// pointing, step, pN_opM and pN_streamM.
std::vector<Beat> streams_beats(const Trace& trace, const Walk& walk);
Stage streams_lab(const SceneInput& input);

}  // namespace warpwalk::story
