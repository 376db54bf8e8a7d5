#include "core/story/scenes/tour/inside.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/run/replay/number_trail.h"
#include "core/story/facts/simulated/followed_sm.h"

namespace warpwalk::story {

InsideSm::InsideSm(const Tour& s, std::uint32_t sm) : number_(sm), sm_(world::sm(sm, s.sms())) {
  // On a GPU of few SMs, their boxes have another shape than the window.
  const double wide = std::min(sm_.width, sm_.height * width / height);
  unit_ = wide / width;
  const double high = height * unit_;
  camera_ = {sm_.x + (sm_.width - wide) / 2, sm_.y + (sm_.height - high) / 2, wide, high};
}

void InsideSm::draw(Plane& plane, const Tour& s, bool sub_partition) const {
  plane.frame(fmt::format("sm {}", number_), sm_, number_ == s.sm ? Tone::followed : Tone::quiet);
  if (sub_partition) plane.frame(fmt::format("sub-partition {}", inside_part(s)), at(8, 6, 1216, 496), Tone::quiet);
}

std::optional<ThreadPlace> thread_place(const Tour& s) {
  const MatrixProduct& p = s.product;
  const auto& threads = s.plan.launched_block;
  if (threads[0] != p.tile_columns || threads[1] != p.tile_rows || threads[2] > 1) return {};
  constexpr std::int64_t most_rows = 4;
  ThreadPlace place;
  place.columns = p.tile_columns;
  if (place.columns > ThreadPlace::lanes / 2 || place.columns < ThreadPlace::lanes / most_rows ||
      ThreadPlace::lanes % place.columns != 0)
    return {};
  const std::int64_t thread = s.number.at.row % p.tile_rows * p.tile_columns + s.number.at.column % p.tile_columns;
  place.warp = thread / ThreadPlace::lanes;
  place.lane = thread % ThreadPlace::lanes;
  // The simulated run knows it.
  const run::NumberTrail* const trail = s.input.history.trail;
  if (trail != nullptr && (trail->warp.warp != place.warp || trail->lane != place.lane)) return {};
  return place;
}

std::int64_t tile_row(const Tour& s) { return s.number.at.row - s.number.at.row % s.product.tile_rows; }
std::int64_t tile_column(const Tour& s) { return s.number.at.column - s.number.at.column % s.product.tile_columns; }

ElementIndex number_of(const Tour& s, const ThreadPlace& place, std::int64_t lane) {
  return {tile_row(s) + place.row_of(lane), tile_column(s) + place.column_of(lane)};
}

std::int64_t followed_lane(const Tour& s) {
  if (const run::NumberTrail* const trail = s.input.history.trail) return trail->lane;
  const auto place = thread_place(s);
  return place ? place->lane : -1;
}

std::int64_t inside_part(const Tour& s) {
  const std::int64_t parts = std::max<std::int64_t>(s.plan.device->sub_partitions.value.value_or(4), 1);
  const run::NumberTrail* const trail = s.input.history.trail;
  return (trail != nullptr ? trail->warp.slot : followed_warp(s)) % parts;
}

std::string element_name(char matrix, std::int64_t row, std::int64_t column) {
  return fmt::format("{}[{}, {}]", matrix, row, column);
}

std::string inside_waits(const Tour& s) {
  Narration::Values values = s.values;
  const std::string missing = missing_cycles(s.input, values);
  if (missing.empty()) return s.input.history.trail == nullptr ? s.word("run_waits") : std::string();
  if (missing != "building" && missing != "timing") return s.word("no_run");
  const HistoryView& history = s.input.history;
  const double done = history.state == HistoryView::State::building ? history.done : history.travel_done;
  return s.word("run_builds", {{"percent", fmt::format("{:.0f}", 100 * done)}});
}

}  // namespace warpwalk::story
