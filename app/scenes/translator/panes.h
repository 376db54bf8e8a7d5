#pragma once

#include "app/pictures/text.h"
#include "app/scenes/paint.h"
#include "core/story/scenes/translator/picture.h"

namespace warpwalk::scenes {

// The panes of the translator. Each is drawn into its own box; `shown` (0 to 1) is its opacity.
void paint_ops_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::OpsPane& pane, float shown);
void paint_keys_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::KeysPane& pane,
                     float shown);
void paint_name_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::NamePane& pane,
                     float shown);
/// Draws the work of one block or thread that a kernel's name describes. Nothing is drawn in a box that is too small.
void paint_blueprint(draw::Canvas& canvas, const draw::Box& box, const story::NamePane::Blueprint& drawn, float shown);
void paint_order_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::OrderPane& pane,
                      float shown);
/// A click on an instruction chooses it.
pictures::Touch paint_instruction_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                       const story::InstructionPane& pane, float shown);

/// A click on a line with costs chooses it.
pictures::Touch paint_lines_pane(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LinesPane& pane,
                                 float shown);

}  // namespace warpwalk::scenes
