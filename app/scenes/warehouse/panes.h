#pragma once

#include "app/pictures/text.h"
#include "app/scenes/paint.h"
#include "core/story/scenes/warehouse/picture.h"

namespace warpwalk::scenes {

// The parts of the warehouse's picture, each in its own file.

/// Draws allocated and reserved memory over time, with the device's capacity above.
pictures::Touch paint_memory_history(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                     const story::WarehousePicture& picture);
/// Draws the allocator's memory as a bar, and its share of the device's capacity.
void paint_memory_account(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                          const story::WarehousePicture& picture);
/// Draws address ranges as strips with their blocks.
pictures::Touch paint_memory_strips(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                    const story::WarehousePicture& picture);
/// Returns the height that all strips need.
float memory_strips_height(const story::WarehousePicture& picture);
/// Draws the request, a tensor, the account or a block.
pictures::Touch paint_memory_column(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                    const story::WarehousePicture& picture);
/// Draws the buffers passed to a kernel. Replaces all other parts.
void paint_buffers(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::WarehousePicture& picture);

/// Draws a part of the account. The legend uses the same function.
void paint_memory_part(draw::Canvas& canvas, const draw::Box& box, story::WarehousePart::Kind kind);

}  // namespace warpwalk::scenes
