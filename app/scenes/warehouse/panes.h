#pragma once

#include "app/pictures/cut_text.h"
#include "app/scenes/paint.h"
#include "core/story/scenes/warehouse/picture.h"

namespace warpwalk::scenes {

// The parts of the warehouse's picture, each in a file of its own.

/// Allocated and reserved over the trace's time, with the capacity above them.
Touch paint_memory_history(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                           const story::WarehousePicture& picture);
/// What the allocator holds as a bar, and that bar on the device's capacity.
void paint_memory_account(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                          const story::WarehousePicture& picture);
/// Strips of addresses with their blocks.
Touch paint_memory_strips(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                          const story::WarehousePicture& picture);
/// What all strips would take.
float memory_strips_height(const story::WarehousePicture& picture);
/// The request, a tensor, the account or a block.
Touch paint_memory_column(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                          const story::WarehousePicture& picture);
/// The buffers that a kernel is given, in place of all the others.
void paint_buffers(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::WarehousePicture& picture);

/// How a part of the account is drawn; the legend draws it the same.
void paint_memory_part(draw::Canvas& canvas, const draw::Box& box, story::WarehousePart::Kind kind);

}  // namespace warpwalk::scenes
