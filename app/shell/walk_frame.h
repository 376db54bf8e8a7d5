#pragma once

#include <string>

#include "app/draw/ui.h"
#include "app/shell/actions.h"

namespace warpwalk::shell {

/// Draws what the window shows without a document: the progress of reading, or how to open a file.
void paint_waiting(draw::Canvas& canvas, const Parts& parts);

/// Draws the stage with the panels around it, and does what was chosen there. `work`: what runs in the background, as
/// Pages::work(). There must be a stage.
void paint_walk(draw::Ui& ui, Parts& parts, Actions& actions, const std::string& work);

/// Draws the stage with the whole window for it, and a bar of what can be done next, and does what was chosen there.
/// There must be a stage.
void paint_learner(draw::Ui& ui, Parts& parts, Actions& actions, const std::string& work);

}  // namespace warpwalk::shell
