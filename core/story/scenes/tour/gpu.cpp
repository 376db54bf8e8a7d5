// Chapter 3 of the tour: the grid is cut into blocks, and the SMs take them.
#include <algorithm>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

// Every block as a box: on its place in `at`.
template <class Place>
void draw_blocks(Plane& plane, const Tour& s, const Place& at) {
  constexpr std::uint64_t most = 4096;  // more could not be told apart
  for (std::uint64_t block = 0; block < std::min(s.plan.blocks, most); ++block)
    plane.box(fmt::format("block {}", block), at(block), block == s.block ? Tone::followed : Tone::work);
}

}  // namespace

PlanePicture blocks_plane(const Tour& s, double phase) {
  Plane plane(world::sheets_view);
  plane.frame("memory", world::memory, Tone::memory);
  draw_sheets(plane, s, "");
  const double gap = 0.12 * eased(phase);
  draw_blocks(plane, s, [&](std::uint64_t block) {
    const PlaneBox tile = world::tile(s.product, block);
    return tile.grown(-gap * std::min(tile.width, tile.height));
  });
  const world::Sheets sheets = world::sheets(s.product);
  const double right = sheets.c.right() + 60, wide = world::sheets_view.right() - 24 - right;
  plane.text("tile count", {right, world::sheets_view.y + 60, wide, 60}, s.word("tiles"), PlaneItem::Type::figure);
  plane.text("tile size", {right, world::sheets_view.y + 130, wide, 60}, s.word("tile"), PlaneItem::Type::body);
  return plane.take();
}

PlanePicture placed_plane(const Tour& s, double phase) {
  Plane plane(world::gpu);
  draw_gpu(plane, s);
  draw_sheets(plane, s, "");
  draw_sms(plane, s, true);
  const auto slots = static_cast<std::uint32_t>(s.plan.occupancy.blocks_per_sm);
  std::vector<const PlacedBlock*> placed(s.plan.blocks, nullptr);
  for (const PlacedBlock& one : s.plan.placed)
    if (one.turn == 0 && one.block < placed.size()) placed[one.block] = &one;
  draw_blocks(plane, s, [&](std::uint64_t block) {
    const PlaneBox from = world::tile(s.product, block).grown(-0.5);
    if (placed[block] == nullptr) return from;
    const PlaneBox to = world::block_on(world::sm(placed[block]->sm, s.sms()), placed[block]->slot, slots);
    const double start = 0.5 * static_cast<double>(block) / static_cast<double>(s.plan.blocks);
    const double way = eased(part(phase, start, start + 0.5));
    return PlaneBox{from.x + (to.x - from.x) * way, from.y + (to.y - from.y) * way,
                    from.width + (to.width - from.width) * way, from.height + (to.height - from.height) * way};
  });
  return plane.take();
}

}  // namespace warpwalk::story
