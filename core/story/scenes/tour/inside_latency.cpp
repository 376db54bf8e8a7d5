// Chapter 4 of the tour: a load takes long, and other warps use the time.
#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/launch/device_parameter.h"
#include "core/story/facts/simulated/awaited_loads.h"
#include "core/story/facts/simulated/followed_sm.h"
#include "core/story/scenes/tour/inside.h"

namespace warpwalk::story {
namespace {

using Type = PlaneItem::Type;
using Align = PlaneItem::Align;

// A load of the followed warp whose data it waits for.
struct LongLoad {
  std::uint16_t sm = 0;
  gpu::WarpPlace warp;
  std::int64_t issued = 0, back = 0;      ///< cycles
  std::optional<gpu::DataSource> source;  ///< none: L1, or not known
  std::int64_t meanwhile = 0;             ///< instructions that its scheduler issues of other warps
  std::shared_ptr<const gpu::SmWindow> window;

  std::int64_t cycles() const { return back - issued; }
};

constexpr std::int64_t before_load = 40, after_load = 60;  // cycles that are shown
constexpr std::size_t most_rows = 10;

// The cycle in which the last load was issued that the warp waits for in this span, and where its data is.
bool find_load(run::TimeTravel& travel, const gpu::WarpSpan& wait, LongLoad& load) {
  const auto moment = travel.at(load.sm, wait.from + (wait.to - wait.from) / 2);
  bool found = false;
  for (const gpu::WarpState& warp : moment->state.warps) {
    if (!(warp.place == load.warp)) continue;
    for (std::size_t i = 0; i < warp.dependences.size(); ++i) {
      const gpu::DependenceState& dependence = warp.dependences[i];
      if (dependence.pending == 0 || !dependence.from_memory || (warp.wait_mask >> i & 1) == 0) continue;
      const AwaitedLoads awaited = awaited_loads(travel, *moment, warp, i);
      if (found && awaited.cycle <= load.issued) continue;
      found = true;
      load.issued = awaited.cycle;
      load.source.reset();
      if (awaited.last != nullptr) load.source = awaited.last->source;
    }
  }
  return found;
}

std::optional<LongLoad> long_load(const Tour& s) {
  const HistoryView& history = s.input.history;
  if (history.travel == nullptr || history.trail == nullptr || !history.own()) return {};
  run::TimeTravel& travel = *history.travel;
  LongLoad load;
  load.sm = history.trail->sm;
  load.warp = history.trail->warp;
  // The wait that the scene of the schedulers shows, too: the one that other warps hide best.
  const SmEvents events = events_of(travel, load.sm, block_on(s.input, travel, load.sm));
  if (!events.wait || !(events.wait->warp == load.warp) ||
      events.wait->span.reason != gpu::StallReason::long_scoreboard || !find_load(travel, events.wait->span, load))
    return {};
  load.back = events.wait->span.to;
  // The bar of a load from memory is to have room.
  const std::int64_t longest = s.plan.device->latency_memory.value.value_or(0);
  load.window = travel.window(load.sm, std::max<std::int64_t>(0, load.issued - before_load),
                              std::max(load.back + after_load, load.issued + longest + after_load));
  const auto schedulers = static_cast<std::uint16_t>(travel.device().sub_partitions.value.value_or(4));
  load.meanwhile = std::ranges::count_if(load.window->issues, [&](const gpu::Issue& issue) {
    return issue.what.cycle >= load.issued && issue.what.cycle < load.back && !(issue.what.warp == load.warp) &&
           issue.what.warp.slot % schedulers == load.warp.slot % schedulers;
  });
  return load;
}

// Where a line is, with the cycles of a load from there.
struct LoadPlace {
  const char* key;
  std::optional<std::int64_t> cycles;
  Origin origin = Origin::explained;
  bool here = false;  ///< the followed load's line is there
};

std::array<LoadPlace, 3> load_places(const Tour& s, const std::optional<LongLoad>& load) {
  const gpu::Device& device = *s.plan.device;
  const auto place = [](const char* key, const gpu::IntParameter& latency) {
    return LoadPlace{key, latency.value ? std::optional<std::int64_t>(*latency) : std::nullopt,
                     origin_of(latency.status)};
  };
  std::array<LoadPlace, 3> places = {place("l1", device.latency_l1), place("l2", device.latency_l2),
                                     place("memory", device.latency_memory)};
  if (load && load->source) places[*load->source == gpu::DataSource::memory ? 2 : 1].here = true;
  return places;
}

Tone row_tone(gpu::StallReason reason) {
  switch (reason) {
    case gpu::StallReason::selected: return Tone::work;
    case gpu::StallReason::long_scoreboard: return Tone::memory;
    case gpu::StallReason::short_scoreboard:
    case gpu::StallReason::mio_throttle: return Tone::shared;
    case gpu::StallReason::barrier: return Tone::barrier;
    default: return Tone::quiet;
  }
}

// The warps of the followed warp's scheduler; the followed one is among them.
std::vector<const gpu::WarpRow*> rows_of_scheduler(const Tour& s, const LongLoad& load) {
  const auto schedulers = static_cast<std::uint16_t>(s.input.history.travel->device().sub_partitions.value.value_or(4));
  std::vector<const gpu::WarpRow*> rows;
  for (const gpu::WarpRow& row : load.window->warps)
    if (row.place.slot % schedulers == load.warp.slot % schedulers && !row.spans.empty()) rows.push_back(&row);
  std::ranges::sort(rows, {}, [&](const gpu::WarpRow* row) {
    return std::tuple(row->place.block != load.warp.block, row->place.block, row->place.warp);
  });
  if (rows.size() > most_rows) rows.resize(most_rows);
  return rows;
}

constexpr double spans_at = 194, spans_to = 1208, bars_top = 378, bar_step = 42, bar_high = 34;

}  // namespace

std::optional<Ask> latency_question(const Tour& s) {
  const auto load = long_load(s);
  if (!load) return {};
  Ask ask{.key = "latency", .about = "latency", .options = {}, .facts = {}};
  bool any = false;
  for (const LoadPlace& place : load_places(s, load)) {
    if (!place.cycles) return {};
    if (place.here) {
      any = true;
      ask.options.right = ask.options.words.size();
    }
    ask.options.words.push_back(s.word("about_cycles", {{"n", with_thousands(*place.cycles)}}));
    ask.options.keys.emplace_back(place.key);
  }
  if (!any) return {};
  ask.values = {{"where", s.word(*load->source == gpu::DataSource::memory ? "where_memory" : "where_l2")}};
  return ask;
}

std::string latency_section(const Tour& s) {
  const auto load = long_load(s);
  if (!load) return "latency.waiting";
  return !load->source ? "latency" : *load->source == gpu::DataSource::memory ? "latency.memory" : "latency.l2";
}

void latency_values(const Tour& s, Narration::Values& values) {
  const auto load = long_load(s);
  for (const LoadPlace& place : load_places(s, load))
    values.insert_or_assign(fmt::format("{}_cycles", place.key), place.cycles ? with_thousands(*place.cycles) : "?");
  values.insert_or_assign("warp", fmt::to_string(followed_warp(s)));
  if (!load) return;
  values.insert_or_assign("cycles", with_thousands(load->cycles()));
  values.insert_or_assign("meanwhile", with_thousands(load->meanwhile));
}

PlanePicture latency_plane(const Tour& s, double phase) {
  const InsideSm sm(s, s.sm);
  Plane plane(sm.camera());
  sm.draw(plane, s, true);
  const auto load = long_load(s);
  const std::int64_t own = followed_warp(s);
  const std::string own_id = fmt::format("warp {}", own);
  plane.text("latency head", sm.at(24, 10, 264, 28),
             s.word("recorded_rows", {{"sm", fmt::to_string(load ? load->sm : s.sm)}}), Type::heading);
  double legend_x = 290;
  for (const auto& [tone, key, wide] :
       {std::tuple(Tone::work, "issues", 64.0), std::tuple(Tone::memory, "awaits_memory", 156.0),
        std::tuple(Tone::shared, "awaits_shared", 178.0), std::tuple(Tone::barrier, "awaits_barrier", 104.0),
        std::tuple(Tone::quiet, "or_ready", 198.0)}) {
    plane.box(fmt::format("{} mark", key), sm.at(legend_x, 14, 22, 18), tone);
    plane.text(key, sm.at(legend_x + 27, 12, wide, 22), s.word(key));
    legend_x += wide + 42;
  }
  if (!load) {
    plane.box(own_id, sm.at(24, 48, 164, 30), Tone::followed, s.word("warp", {{"n", fmt::to_string(own)}}));
    plane.text("latency waits", sm.at(spans_at, 150, 900, 60), inside_waits(s), Type::figure);
  }
  const bool asked = open_question(s, latency_question(s));
  // The cycles are known up to here; the window's width stays.
  double x_of_load = spans_at, per_cycle = 1;
  if (load) {
    const gpu::SmWindow& window = *load->window;
    per_cycle = (spans_to - spans_at) / static_cast<double>(window.to - window.from);
    const auto x_at = [&](std::int64_t cycle) {
      return spans_at + per_cycle * static_cast<double>(cycle - window.from);
    };
    x_of_load = x_at(load->issued);
    const std::int64_t end = asked ? load->issued + 1 : window.to;
    const auto until =
        window.from + static_cast<std::int64_t>(part(phase, 0.1, 0.9) * static_cast<double>(end - window.from) + 0.5);
    const std::vector<const gpu::WarpRow*> rows = rows_of_scheduler(s, *load);
    const double step = std::min(60.0, 318.0 / static_cast<double>(rows.size())), high = step - 5;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const gpu::WarpRow& row = *rows[r];
      const double y = 46 + step * static_cast<double>(r);
      const bool followed = row.place == load->warp;
      const std::string name =
          s.word("block_warp", {{"block", with_thousands(static_cast<std::int64_t>(row.place.block))},
                                {"n", fmt::to_string(row.place.warp)}});
      const std::string id = followed ? own_id : fmt::format("row {} {}", row.place.block, row.place.warp);
      if (followed)
        plane.box(id, sm.at(24, y, 164, high), Tone::followed, name);
      else
        plane.text(id, sm.at(24, y, 164, high), name);
      // Issues come last: at one cycle each, they are thinner than a pixel.
      for (const bool issues : {false, true})
        for (std::size_t i = 0; i < row.spans.size() && row.spans[i].from < until;) {
          const std::int64_t from = row.spans[i].from;
          const Tone tone = row_tone(row.spans[i].reason);
          std::int64_t to = from;
          for (; i < row.spans.size() && row_tone(row.spans[i].reason) == tone; ++i) to = row.spans[i].to;
          if ((tone == Tone::work) != issues) continue;
          constexpr double least = 2;
          const double left = x_at(from), wide = x_at(std::min(to, until)) - left;
          plane.box(fmt::format("{} at {}", id, from), sm.at(left, y, issues ? std::max(wide, least) : wide, high),
                    tone);
        }
      if (followed)
        plane.frame("followed row", sm.at(spans_at - 3, y - 2.5, spans_to - spans_at + 6, high + 5), Tone::followed);
    }
  }
  // How long a load takes from each place, from the cycle of the load on.
  double y = bars_top;
  for (const LoadPlace& place : load_places(s, load)) {
    if (!place.cycles) continue;
    const double wide =
        std::min(load ? per_cycle * static_cast<double>(*place.cycles) : 1.2 * static_cast<double>(*place.cycles),
                 spans_to - x_of_load);
    const bool lit = place.here && !asked;
    plane.text(fmt::format("{} place", place.key), sm.at(24, y, 138, bar_high),
               s.word(fmt::format("place_{}", place.key)), Type::body);
    plane.box(fmt::format("{} bar", place.key), sm.at(x_of_load, y, wide, bar_high), lit ? Tone::memory : Tone::plain);
    // Beside a short bar, in a long one.
    const std::string text = s.word("cycles", {{"n", with_thousands(*place.cycles)}});
    const bool inside = wide > 300;
    PlaneItem& cycles =
        plane.text(fmt::format("{} cycles", place.key),
                   sm.at(inside ? x_of_load + 10 : x_of_load + wide + 8, y, 140, bar_high), text, Type::body);
    cycles.tip = s.word("latency_tip");
    cycles.origin = place.origin;
    y += bar_step;
  }
  if (load && !asked) {
    PlaneItem& took = plane.text("load cycles", sm.at(spans_to - 420, bars_top, 420, bar_high),
                                 s.word("load_took", {{"n", with_thousands(load->cycles())}}), Type::figure,
                                 Align::right, Tone::memory);
    took.shown = part(phase, 0.5, 0.7);
    took.tip = s.word("load_took_tip");
    took.origin = Origin::simulated;
    PlaneItem& others =
        plane.text("load meanwhile", sm.at(spans_to - 520, bars_top + bar_step, 520, bar_high),
                   s.word("meanwhile", {{"n", with_thousands(load->meanwhile)}}), Type::body, Align::right, Tone::work);
    others.shown = took.shown;
    others.tip = s.word("meanwhile_tip");
    others.origin = Origin::simulated;
  }
  return plane.take();
}

}  // namespace warpwalk::story
