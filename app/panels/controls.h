#pragma once

// This folder has the parts of the frame around the picture, the glossary and the lecturer's page. Other pages are in
// app/pages.

#include "app/scenes/paint.h"

namespace warpwalk::panels {

/// The place of a control's name: above the control, or beside it, which needs half the height but more width.
enum class ControlNames : unsigned char { above, beside };

/// The height that the stage's controls need at this width; 0 if it shows none.
float controls_height(const draw::Canvas& canvas, const story::Stage& stage, float width,
                      ControlNames names = ControlNames::above);

/// The stage's sliders, choices and text fields side by side, in as many rows as they need. Each shows its name, its
/// value, and whether the value is from the trace or was set by the user. Wheel, drag, click and, with the focus, the
/// arrow keys change it; a text field takes the keys that type. A part of a text that could not be read is underlined.
/// Without `ui` nothing responds to mouse and keys.
pictures::Touch controls(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                         ControlNames names = ControlNames::above);

}  // namespace warpwalk::panels
