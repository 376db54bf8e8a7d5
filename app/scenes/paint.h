#pragma once

// This folder paints the pictures that one scene has, a folder for each. Generic pictures are painted in app/pictures.

#include "app/draw/ui.h"
#include "app/pictures/touch.h"
#include "core/story/stage/stage.h"

namespace warpwalk::scenes {

/// Draws the stage's picture into the box. Without `ui`, the picture looks the same but ignores mouse and keyboard.
pictures::Touch paint_picture(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage);
/// The height that the picture needs to be shown whole; 0 if it can be drawn at any height.
float least_picture_height(const draw::Canvas& canvas, float width, const story::Stage& stage);
/// The height from which on nothing in the picture is left out or squeezed; at least the one above.
float whole_picture_height(const draw::Canvas& canvas, float width, const story::Stage& stage);

pictures::Touch paint_receipt(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                              const story::ReceiptPicture& picture);
pictures::Touch paint_translator(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                                 const story::TranslatorPicture& picture);
/// The height that it needs to be shown whole; 0 if it can be drawn at any height.
float least_warehouse_height(const story::WarehousePicture& picture);
pictures::Touch paint_warehouse(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                                const story::WarehousePicture& picture);
pictures::Touch paint_launch(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                             const story::LaunchPicture& picture);
pictures::Touch paint_sm(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                         const story::SmPicture& picture);
pictures::Touch paint_gates(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                            const story::GatesPicture& picture);

}  // namespace warpwalk::scenes
