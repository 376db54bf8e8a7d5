#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The progress of each part of the chain, 0 to 1.
struct OrderedShown {
  double nested = 1;     ///< ops inside the outermost one
  double call = 1;       ///< the launch call
  double work = 1;       ///< the work on the GPU
  double travelled = 1;  ///< of the launch, from the call to the work
};

/// The chain from the line of Python to the work on the GPU, in order and not to scale: for a walk whose times are not
/// known. `ops`: with frames and ops; else from the launch call on.
TimelinePicture ordered_picture(const SceneInput& input, bool ops, const OrderedShown& shown);

}  // namespace warpwalk::story
