#pragma once

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// How far each part of an order without times is there, 0 to 1.
struct OrderedShown {
  double nested = 1;     ///< ops inside the outermost
  double call = 1;       ///< the launch call
  double work = 1;       ///< the work on the GPU
  double travelled = 1;  ///< of the order, from the call to the work
};

/// What called what, from the line of Python to the work on the GPU, one after the other and without a scale: for a
/// walk whose times are not known. `ops`: with frames and ops; else from the launch call on.
TimelinePicture ordered_picture(const SceneInput& input, bool ops, const OrderedShown& shown);

}  // namespace warpwalk::story
