// Chapter 4 of the tour: a scheduler issues an instruction of one ready warp in each cycle.
#include <algorithm>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/simulated/small_run.h"
#include "core/story/scenes/tour/inside.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

// One scheduler, twenty cycles: the columns of the picture.
constexpr double names_at = 24, cells_at = 124, cells_to = 1084, ready_at = 1096;
constexpr double cycles_top = 54, rows_top = 80, row_high = 62, row_step = 68;

std::string small_warp_name(const Tour& s, std::size_t warp) {
  // Letters: its warps are not those of the followed kernel.
  return s.word("warp", {{"n", std::string(1, static_cast<char>('A' + warp))}});
}

// The first cycle, from this one on, in which the warp does not wait; counted from 1 as on the plane.
std::size_t ready_from(const SmallRun::Warp& warp, std::size_t cycle) {
  while (cycle < warp.states.size() && warp.states[cycle] == WarpCycle::waits) ++cycle;
  return cycle + 1;
}

void draw_state(Plane& plane, const std::string& id, const PlaneBox& at, WarpCycle state) {
  if (state == WarpCycle::issues)
    plane.box(id, at, Tone::work);
  else if (state == WarpCycle::ready)
    plane.frame(id, at, Tone::work);
  else
    plane.box(id, at, Tone::quiet);
}

void draw_legend(Plane& plane, const Tour& s, const InsideSm& sm, double y) {
  double x = cells_at;
  for (const auto& [state, key, wide] :
       {std::tuple(WarpCycle::issues, "state_issues", 190.0), std::tuple(WarpCycle::ready, "state_ready", 260.0),
        std::tuple(WarpCycle::waits, "state_waits", 240.0)}) {
    draw_state(plane, fmt::format("{} mark", key), sm.at(x, y, 28, 20), state);
    plane.text(key, sm.at(x + 36, y, wide, 20), s.word(key));
    x += wide + 52;
  }
}

}  // namespace

std::optional<Ask> issue_question(const Tour& s) {
  const auto run = small_run(*s.plan.device);
  if (run == nullptr) return {};
  const std::size_t asked = run->shown - 1;
  Ask ask{.key = "issue", .about = "issue", .options = {}, .facts = {}};
  ask.options.right = run->issuing(asked);
  for (std::size_t w = 0; w < run->warps.size(); ++w) {
    ask.options.words.push_back(small_warp_name(s, w));
    ask.options.keys.emplace_back("waits");
    ask.options.values.push_back({{"ready", fmt::to_string(ready_from(run->warps[w], asked))}});
  }
  ask.values = {{"cycle", fmt::to_string(run->shown)}, {"last", fmt::to_string(run->shown - 1)}};
  return ask;
}

void issue_values(const Tour& s, Narration::Values& values) {
  values.insert_or_assign("warp", fmt::to_string(followed_warp(s)));
}

PlanePicture issue_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, true);
  plane.text("issue head", sm.at(names_at, 12, 760, 28), s.word("small_run"), Type::heading);
  const std::int64_t own = followed_warp(s);
  plane.box(fmt::format("warp {}", own), sm.at(1000, 12, 208, 30), Tone::followed,
            s.word("own_warp", {{"n", fmt::to_string(own)}}));
  const auto run = small_run(*s.plan.device);
  if (run == nullptr) return plane.take();
  const bool asked = open_question(s, issue_question(s));
  const std::size_t all = asked ? run->shown - 1 : run->shown;
  const std::size_t shown =
      std::min(all, static_cast<std::size_t>(part(phase, 0, 0.95) * static_cast<double>(all) + 0.01));
  const double each = (cells_to - cells_at) / static_cast<double>(run->shown);
  const auto column = [&](std::size_t cycle) { return cells_at + each * static_cast<double>(cycle); };
  plane.text("cycle name", sm.at(names_at, cycles_top, 90, 22), s.word("cycle"));
  for (std::size_t cycle = 0; cycle < run->shown; ++cycle)
    plane
        .text(fmt::format("cycle {}", cycle), sm.at(column(cycle), cycles_top, each, 22), fmt::to_string(cycle + 1),
              Type::label, Align::centre, cycle == shown ? Tone::plain : Tone::quiet)
        .shown = cycle <= shown ? 1 : 0;
  plane.text("ready name", sm.at(ready_at - 6, cycles_top, 130, 22), s.word("ready_from"), Type::label, Align::centre);
  for (std::size_t w = 0; w < run->warps.size(); ++w) {
    const SmallRun::Warp& warp = run->warps[w];
    const double y = rows_top + row_step * static_cast<double>(w);
    plane.text(fmt::format("small {} name", w), sm.at(names_at, y, 94, row_high), small_warp_name(s, w), Type::body);
    for (std::size_t cycle = 0; cycle < shown; ++cycle)
      draw_state(plane, fmt::format("small {} {}", w, cycle), sm.at(column(cycle) + 1.5, y, each - 3, row_high),
                 warp.states[cycle]);
    if (asked && shown == all)
      plane.frame(fmt::format("small {} {}", w, all), sm.at(column(all) + 1.5, y, each - 3, row_high), Tone::plain, "?")
          .type = Type::heading;
    plane.text(fmt::format("small {} ready", w), sm.at(ready_at, y, 112, row_high),
               fmt::to_string(ready_from(warp, shown)), Type::figure, Align::centre);
  }
  draw_legend(plane, s, sm, 364);
  plane.text("small code name", sm.at(names_at, 404, 780, 24), s.word("small_code"), Type::body).tip =
      s.word("small_code_tip");
  for (std::size_t i = 0; i < run->code.size(); ++i)
    plane
        .frame(fmt::format("small code {}", i), sm.at(names_at + 200 * static_cast<double>(i), 438, 190, 42),
               Tone::quiet, std::string(run->code[i]))
        .type = Type::mono;
  if (asked || shown == 0) return plane.take();
  const std::size_t issued = run->issued(shown);
  PlaneItem& used = plane.text("small issued", sm.at(850, 400, 358, 36),
                               s.word("of_cycles", {{"n", fmt::to_string(issued)}, {"cycles", fmt::to_string(shown)}}),
                               Type::figure, Align::right, Tone::work);
  used.tip = s.word("of_cycles_tip");
  used.origin = Origin::simulated;
  plane.text("small issued name", sm.at(850, 442, 358, 24), s.word("have_issue"), Type::body, Align::right);
  return plane.take();
}

}  // namespace warpwalk::story
