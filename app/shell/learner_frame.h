#pragma once

#include <string>

#include "app/draw/ui.h"
#include "app/shell/actions.h"

namespace warpwalk::shell {

/// Draws the stage with the whole window for it, and a bar of what can be done next, and does what was chosen there.
/// `work`: what runs in the background, as Pages::work(). There must be a stage.
void paint_learner(draw::Ui& ui, Parts& parts, Actions& actions, const std::string& work);

}  // namespace warpwalk::shell
