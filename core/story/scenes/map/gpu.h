#pragma once

#include "core/story/scenes/map/picture.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The section of the narration of the beat "gpu", after "gpu.": why there are no cycles, or what is compared; empty
/// for the plain one. Adds the values that its sentences use.
std::string gpu_variant(const SceneInput& input, Narration::Values& values);

/// Adds the whole GPU at a glance to a stage; without cycles, clears the receipt, as the beat before does. `alone`: no
/// beat before has cleared it.
void add_gpu_beat(const SceneInput& input, bool alone, Stage& stage, ReceiptPicture& receipt);

}  // namespace warpwalk::story
