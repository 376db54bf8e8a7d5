#pragma once

#include <vector>

#include "core/story/scenes/sm/picture.h"
#include "core/story/scenes/sm/subject.h"

namespace warpwalk::story {

/// Resident warps by registers, shared memory and block size.
std::vector<ChartPicture> sm_curves(const SceneInput& input, const SmSubject& sm, const SmGains& gains);

/// The sliders, and the hidden choice of the GPU.
std::vector<Control> sm_controls(const SceneInput& input, const SmSubject& sm);

}  // namespace warpwalk::story
