#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/sm/picture.h"

namespace warpwalk::scenes {

/// The position of the waiting block and of each of its warps.
struct SmToken {
  draw::Box box;
  draw::Box warp(std::int64_t number, std::int64_t count) const;
};

/// Returns the shade of a block. Adjacent blocks have different shades, and the moving block is yellow. `amount` (0 to
/// 1) blends the shade with the background.
ImU32 sm_shade(const draw::Theme& theme, ImU32 hue, std::int64_t block, double now, double amount = 1);

/// Draws the SM. The warps of its blocks start at the token.
void paint_sm_chip(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture,
                   const SmToken& token);
/// Draws the warps as they move from their slots to the first curve, whose height is their number.
void paint_sm_gathering(draw::Canvas& canvas, const draw::Box& box, const story::SmPicture& picture);
/// Draws the waiting block.
void paint_sm_token(draw::Canvas& canvas, const SmToken& token, const story::SmPicture& picture);
/// Draws one bar per resource: the amount that the blocks use, and the number of blocks that the resource allows.
void paint_sm_limits(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture);
/// Draws the shares of the warp slots side by side.
void paint_sm_meters(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                     const story::SmPicture& picture);
/// The place under the current setting of the first curve, as high as its value; nullopt without curves.
std::optional<draw::Box> sm_curve_column(const draw::Box& box, const story::SmPicture& picture);
/// Draws the curves. A click or a drag sets the value on their axis.
pictures::Touch paint_sm_curves(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                const story::SmPicture& picture);

}  // namespace warpwalk::scenes
