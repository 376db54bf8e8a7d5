// Chapter 4 of the tour: the tile of b that all warps of a block share, and the barrier before they use it.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/inside.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

// The warps of a block whose threads need b[0, column of the followed number].
std::vector<std::int64_t> warps_in_need(const Tour& s) {
  std::vector<std::int64_t> warps;
  const auto place = thread_place(s);
  if (!place) return warps;
  for (std::int64_t row = 0; row < s.product.tile_rows; ++row) {
    const std::int64_t thread = row * place->columns + s.number.at.column - tile_column(s);
    if (warps.empty() || warps.back() != thread / ThreadPlace::lanes) warps.push_back(thread / ThreadPlace::lanes);
  }
  return warps;
}

// Cycles that each warp of the followed block waits at its first barrier; empty if they are not known.
std::vector<std::int64_t> barrier_waits(const Tour& s) {
  const HistoryView& history = s.input.history;
  if (history.travel == nullptr || history.trail == nullptr || !history.own()) return {};
  const std::uint64_t block = history.trail->warp.block;
  const auto start = block_start(*history.travel, history.trail->sm, block);
  if (!start) return {};
  const auto window = history.travel->window(history.trail->sm, *start, *start + searched_cycles);
  std::vector<std::int64_t> waits(
      static_cast<std::size_t>((s.plan.threads + ThreadPlace::lanes - 1) / ThreadPlace::lanes), 0);
  // The first barrier ends for all at once: waits that begin later are of the next one.
  std::int64_t first_end = window->to;
  for (const gpu::WarpRow& row : window->warps)
    if (row.place.block == block)
      for (const gpu::WarpSpan& span : row.spans)
        if (span.reason == gpu::StallReason::barrier) {
          first_end = std::min(first_end, span.to);
          break;
        }
  constexpr std::int64_t same_time = 40;  // cycles in which the warps leave it
  bool any = false;
  for (const gpu::WarpRow& row : window->warps)
    if (row.place.block == block && row.place.warp < waits.size())
      for (const gpu::WarpSpan& span : row.spans)
        if (span.reason == gpu::StallReason::barrier && span.to <= first_end + same_time) {
          waits[row.place.warp] += span.to - span.from;
          any = true;
        }
  return any ? waits : std::vector<std::int64_t>();
}

}  // namespace

std::optional<Ask> shared_question(const Tour& s) {
  const auto warps = static_cast<std::int64_t>(warps_in_need(s).size());
  if (warps < 2) return {};
  Ask ask{.key = "shared", .about = "shared", .options = {}, .facts = {}};
  ask.options = number_options(s.input.narration, "warp", warps, {1, 2, 8, 16});
  return ask;
}

void shared_values(const Tour& s, Narration::Values& values) {
  values.insert_or_assign("factor", element_name('b', 0, s.number.at.column));
  const auto place = thread_place(s);
  values.insert_or_assign("warp_rows", fmt::to_string(place ? place->rows() : 1));
  values.insert_or_assign("needed_by", with_thousands(s.product.tile_rows));
  values.insert_or_assign("needing_warps", with_thousands(static_cast<std::int64_t>(warps_in_need(s).size())));
}

std::string shared_section(const Tour& s) { return thread_place(s) ? "shared" : "shared.other"; }

PlanePicture shared_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, false);
  const bool asked = open_question(s, shared_question(s));
  const auto place = thread_place(s);
  const std::int64_t own = followed_warp(s);
  const std::int64_t columns = place ? place->columns : ThreadPlace::lanes / 2;
  const std::int64_t warps =
      std::clamp<std::int64_t>((s.plan.threads + ThreadPlace::lanes - 1) / ThreadPlace::lanes, 1, 16);
  const std::int64_t column = s.number.at.column - tile_column(s);
  const double laid = eased(part(phase, 0, 0.35)), held = part(phase, 0.35, 0.6),
               taken = asked ? 0 : part(phase, 0.65, 1);
  // The block's warps with their threads.
  constexpr double top = 44, left = 24;
  const double step = 452.0 / static_cast<double>(warps), high = step - 6;
  const double threads_x = 104, threads_wide = 288;
  plane.text("block head", sm.at(left, 10, 380, 28), s.word("block_threads", {{"warps", fmt::to_string(warps)}}),
             Type::heading);
  const std::vector<std::int64_t> waits = barrier_waits(s);
  const std::int64_t longest = waits.empty() ? 0 : *std::ranges::max_element(waits);
  for (std::int64_t warp = 0; warp < warps; ++warp) {
    const double y = top + step * static_cast<double>(warp);
    const Tone tone = warp == own ? Tone::followed : Tone::quiet;
    plane.frame(fmt::format("warp {}", warp), sm.at(left, y, 376, high), tone);
    plane.text(fmt::format("warp {} name", warp), sm.at(left + 8, y, 70, high),
               s.word("warp", {{"n", fmt::to_string(warp)}}), Type::label, Align::left,
               warp == own ? Tone::followed : Tone::plain);
    std::vector<Tone> tones;
    for (std::int64_t lane = 0; lane < ThreadPlace::lanes; ++lane) {
      const bool mine = place && warp == own && lane == place->lane;
      const bool needs = place && !asked && lane % columns == column;
      tones.push_back(mine ? Tone::followed : needs ? Tone::shared : Tone::plain);
    }
    plane.cells(fmt::format("warp {} threads", warp), sm.at(threads_x, y + 5, threads_wide, high - 10),
                static_cast<int>(columns), std::move(tones));
    // How long it is held at the barrier.
    const auto w = static_cast<std::size_t>(warp);
    if (longest == 0 || w >= waits.size() || waits[w] == 0) continue;
    const double wait_wide = 96.0 * static_cast<double>(waits[w]) / static_cast<double>(longest);
    PlaneItem& wait = plane.box(fmt::format("wait {}", warp), sm.at(412, y + high - 15, wait_wide, 12), Tone::barrier);
    wait.shown = held;
    wait.tip = s.word("barrier_tip", {{"n", fmt::to_string(warp)}, {"cycles", with_thousands(waits[w])}});
  }
  plane.box("barrier", sm.at(512, top, 10, 452 - 6), Tone::barrier).shown = held;
  PlaneItem& barrier =
      plane.text("barrier name", sm.at(410, 6, 320, 34),
                 longest > 0 ? s.word("barrier_waits", {{"cycles", with_thousands(longest)}}) : s.word("barrier"),
                 Type::label, Align::left, Tone::barrier);
  barrier.shown = held;
  if (longest > 0) barrier.origin = Origin::simulated;
  // b's tile: from memory into shared memory.
  constexpr double tile_x = 632, tile_wide = 560, tile_y = 84, tile_high = 256;
  plane.frame("shared", sm.at(612, 44, 596, 316), Tone::shared);
  plane.text("shared name", sm.at(624, 50, 570, 28), s.word("shared_tile"), Type::body, Align::left, Tone::shared);
  plane.frame("memory part", sm.at(612, 412, 596, 84), Tone::memory);
  plane.text("memory part name", sm.at(624, 418, 570, 26), s.word("memory_b"), Type::body, Align::left, Tone::memory);
  const PlaneBox from = sm.at(tile_x, 450, tile_wide, 38), to = sm.at(tile_x, tile_y, tile_wide, tile_high);
  const auto tile_columns = std::max<std::int64_t>(s.product.tile_columns, 1);
  const std::int64_t depth =
      std::clamp<std::int64_t>(s.product.depth > 1 ? s.product.depth : s.product.tile_rows, 1, 32);
  plane.cells("tile in memory", from, static_cast<int>(tile_columns),
              std::vector<Tone>(static_cast<std::size_t>(tile_columns), Tone::memory));
  const PlaneBox tile = world::on_way(from, to, laid);
  plane.cells("tile of b", tile, static_cast<int>(tile_columns),
              std::vector<Tone>(static_cast<std::size_t>(tile_columns * depth), Tone::shared));
  const double cell_wide = 1.0 / static_cast<double>(tile_columns);
  const PlaneBox factor =
      tile.part(cell_wide * static_cast<double>(column) - 0.3 * cell_wide, -0.02, cell_wide * 1.6, 0.16);
  plane.box("b 0", factor, Tone::followed, s.element(1, 0, s.number.at.column)).type = Type::body;
  plane.arrow("fetch", to.x + to.width / 2, sm.y(408), to.x + to.width / 2, sm.y(364), Tone::memory).shown =
      part(phase, 0.1, 0.35);
  plane.text("fetched", sm.at(920, 366, 288, 40), s.word("fetched_once"), Type::body).shown = part(phase, 0.1, 0.35);
  if (place && !asked)
    for (const std::int64_t warp : warps_in_need(s)) {
      if (warp >= warps) continue;
      const PlaneBox row = sm.at(404, top + step * (static_cast<double>(warp) + 0.5) - 3, 0, 0);
      plane.arrow(fmt::format("takes {}", warp), factor.x, factor.y + factor.height / 2, row.x, row.y, Tone::shared)
          .shown = taken;
    }
  return plane.take();
}

}  // namespace warpwalk::story
