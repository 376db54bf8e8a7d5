#pragma once

#include "app/scenes/paint.h"
#include "core/story/scenes/launch/picture.h"

namespace warpwalk::scenes {

/// The parts of the launch picture. Each uses the whole box; only one is visible at a time.
pictures::Touch paint_launch_way(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::Stage& stage,
                                 const story::LaunchPicture& picture);
pictures::Touch paint_launch_floor(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                   const story::LaunchPicture& picture);
pictures::Touch paint_launch_waves(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box,
                                   const story::LaunchPicture& picture);

/// The places of the blocks of the first turn, in the order of picture.placed: their slots among the SMs, and the upper
/// ends of their columns over time. From one picture to the other, the blocks move between the two.
std::vector<draw::Box> launch_slots(const draw::Canvas& canvas, const draw::Box& box,
                                    const story::LaunchPicture& picture);
std::vector<draw::Box> launch_columns(const draw::Canvas& canvas, const draw::Box& box,
                                      const story::LaunchPicture& picture);

/// Returns the tooltip of a block: its number, index, SM, slot and time.
std::string block_text(const story::LaunchPicture& picture, std::uint64_t block, const story::PlacedBlock* placed);

/// Draws the heading of a part, followed by `more`, and a tag at the right end that names the source of the placement.
void paint_placement_head(draw::Canvas& canvas, draw::Ui* ui, const draw::Box& box, const story::LaunchPicture& picture,
                          const std::string& more);

/// Draws the number of a block if the largest number in the picture also fits the box.
void paint_block_number(draw::Canvas& canvas, const draw::Box& box, std::uint64_t block, std::uint64_t largest);

}  // namespace warpwalk::scenes
