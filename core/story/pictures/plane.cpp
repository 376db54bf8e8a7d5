#include "core/story/pictures/plane.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "core/story/elements/moment.h"

namespace warpwalk::story {
namespace {

// Things that only the first picture has are gone by the middle; those that only the second one has come after it.
constexpr double gone_by = 0.45, coming_from = 0.55;

double mixed(double from, double to, double share) { return from + (to - from) * share; }

PlaneBox mixed(const PlaneBox& from, const PlaneBox& to, double share) {
  return {mixed(from.x, to.x, share), mixed(from.y, to.y, share), mixed(from.width, to.width, share),
          mixed(from.height, to.height, share)};
}

// The size changes by equal factors in equal times, and the centre moves in proportion to the size, so that a zoom has
// one fixed point on the screen.
PlaneBox flown(const PlaneBox& from, const PlaneBox& to, double share) {
  const double factor = to.width / from.width;
  const double width = from.width * std::pow(factor, share);
  constexpr double no_zoom = 1e-3;
  const double moved = std::abs(factor - 1) < no_zoom ? share : (width - from.width) / (to.width - from.width);
  const double height = mixed(from.height, to.height, moved);
  return {mixed(from.x + from.width / 2, to.x + to.width / 2, moved) - width / 2,
          mixed(from.y + from.height / 2, to.y + to.height / 2, moved) - height / 2, width, height};
}

using Places = std::unordered_map<std::string_view, const PlaneItem*>;

Places places_of(const PlanePicture& picture) {
  Places places;
  places.reserve(picture.items.size());
  for (const PlaneItem& item : picture.items) places.emplace(item.id, &item);
  return places;
}

// What a thing shows changes in the middle of its way.
PlaneItem moved(const PlaneItem& from, const PlaneItem& to, double phase) {
  PlaneItem item = phase < 0.5 ? from : to;
  const double share = eased(phase);
  item.box = mixed(from.box, to.box, share);
  item.shown = mixed(from.shown, to.shown, share);
  return item;
}

}  // namespace

const PlaneItem* PlanePicture::find(std::string_view id) const {
  const auto at = std::ranges::find(items, id, &PlaneItem::id);
  return at == items.end() ? nullptr : &*at;
}

std::vector<Origin> PlanePicture::origins() const {
  std::vector<Origin> origins;
  for (const PlaneItem& item : items)
    if (item.origin && item.shown > 0 && std::ranges::find(origins, *item.origin) == origins.end())
      origins.push_back(*item.origin);
  std::ranges::sort(origins);
  return origins;
}

PlanePicture between(const PlanePicture& from, const PlanePicture& to, double phase) {
  if (phase <= 0) return from;
  if (phase >= 1) return to;
  PlanePicture picture{flown(from.camera, to.camera, eased(phase)), {}};
  const Places before = places_of(from), after = places_of(to);
  const auto fade = [&](const PlaneItem& item, double share) {
    if (share <= 0) return;
    picture.items.push_back(item);
    picture.items.back().shown *= share;
  };
  for (const PlaneItem& item : from.items)
    if (!after.contains(item.id)) fade(item, 1 - part(phase, 0, gone_by));
  for (const PlaneItem& item : to.items) {
    const auto old = before.find(item.id);
    if (old == before.end())
      fade(item, part(phase, coming_from, 1));
    else
      picture.items.push_back(moved(*old->second, item, phase));
  }
  return picture;
}

}  // namespace warpwalk::story
