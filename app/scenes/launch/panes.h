#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/launch/picture.h"

namespace warpwalk::scenes {

/// The parts of the launch's picture, each in the whole box; only one of them is there at a time.
Touch paint_launch_way(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                       const story::LaunchPicture& picture);
Touch paint_launch_floor(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LaunchPicture& picture);
Touch paint_launch_waves(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LaunchPicture& picture);

/// What pointing at a block says: its number and index, SM, slot and time.
std::string block_text(const story::LaunchPicture& picture, std::uint64_t block, const story::PlacedBlock* placed);

/// The head over a part, with `more` behind it and where the placement comes from in a tag at its right end.
void paint_placement_head(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LaunchPicture& picture,
                          const std::string& more);

/// The number of a block, where the largest number that stands beside it would fit the box too.
void paint_block_number(draw::Canvas& canvas, const draw::Box& box, std::uint64_t block, std::uint64_t largest);

}  // namespace warpwalk::scenes
