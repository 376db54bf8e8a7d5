#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/sm/picture.h"

namespace warpwalk::scenes {

/// Where the block that waits lies, and each of its warps.
struct SmToken {
  draw::Box box;
  draw::Box warp(std::int64_t number, std::int64_t count) const;
};

/// The shade of a block's things: neighbours differ, and what moves now is yellow. `amount` of it is there (else
/// ground).
ImU32 sm_shade(const draw::Theme& theme, ImU32 hue, std::int64_t block, double now, double amount = 1);

/// The SM itself. Its blocks' warps come from the token.
void paint_sm_chip(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture,
                   const SmToken& token);
/// The block that waits.
void paint_sm_token(draw::Canvas& canvas, const SmToken& token, const story::SmPicture& picture);
/// One bar a resource: what the blocks take of it, and how many it would allow.
void paint_sm_limits(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture);
/// Shares of the warp slots beside one another.
void paint_sm_meters(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture);
/// The curves; a click or a drag sets what they are drawn against.
Touch paint_sm_curves(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::SmPicture& picture);

}  // namespace warpwalk::scenes
