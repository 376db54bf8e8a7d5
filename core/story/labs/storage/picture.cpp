// Pictures of the lab "storage": routes, schedule, and when GPUDirect Storage pays off.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/story/labs/storage/storage.h"

namespace warpwalk::story {
namespace {

constexpr std::int64_t most_chunks = 16;  // in the picture of the schedule

struct RoutePlace {
  std::string_view place, how;
  Role role;
};

std::vector<RoutePlace> places_of(Route route) {
  switch (route) {
    case Route::buffered:
      return {{"place_drive", "how_file", Role::fill},
              {"place_cache", "how_dma", Role::copy},
              {"place_pinned", "how_copied", Role::call},
              {"place_gpu", "how_engine", Role::copy}};
    case Route::direct:
      return {{"place_drive", "how_file", Role::fill},
              {"place_pinned", "how_dma", Role::copy},
              {"place_gpu", "how_engine", Role::copy}};
    case Route::gds: break;
  }
  return {{"place_drive", "how_file", Role::fill}, {"place_gpu", "how_dma", Role::copy}};
}

template <class Change>
void add_rates(const Storage& lab, ScatterPicture& picture, const std::vector<double>& values, Change change) {
  static constexpr Tone tones[route_count] = {Tone::host, Tone::shared, Tone::work};
  for (std::size_t route = 0; route < route_count; ++route)
    picture.groups.push_back({lab.word(fmt::format("{}_name", Storage::route_keys[route])), tones[route]});
  double most = 1;
  for (const double value : values) {
    StorageSetup setup = lab.setup;
    change(setup, value);
    for (std::size_t route = 0; route < route_count; ++route) {
      const double rate = static_cast<double>(setup.file) / storage_totals(setup, static_cast<Route>(route)).total;
      most = std::max(most, rate);
      picture.points.push_back({value, rate, route, picture.groups[route].name, lab.rate_text(rate), false});
    }
  }
  picture.up = {lab.word("rate_axis"), 0, std::ceil(most / 10) * 10, false, {}};
  for (int tick = 0; tick <= 5; ++tick)
    picture.up.ticks.emplace_back(picture.up.to * tick / 5, with_marks(fmt::format("{:g}", picture.up.to * tick / 5)));
}

}  // namespace

Panel places_panel(const Storage& lab, std::size_t route, double shown) {
  const std::vector<RoutePlace> places = places_of(lab.taken(route));
  TimelinePicture picture;
  picture.untimed = true;
  picture.to = 4;
  picture.scale_note = lab.word("order_only");
  RowGroup& group = picture.groups.emplace_back();
  for (std::size_t i = 0; i < places.size(); ++i) {
    Row& row = group.rows.emplace_back();
    row.name = lab.word(places[i].place);
    if (static_cast<double>(i) >= shown * picture.to && i > 0) continue;
    Bar& bar = row.bars.emplace_back();
    bar.label = lab.word(places[i].how);
    bar.start = static_cast<std::int64_t>(i);
    bar.end = static_cast<std::int64_t>(i) + 1;
    bar.role = places[i].role;
    bar.followed = true;
  }
  return {lab.route_text(route), 1, std::move(picture)};
}

Panel routes_table(const Storage& lab) {
  TablePicture table;
  table.columns = {{lab.word("route_head"), 2},
                   {lab.word("total_head"), 1, true},
                   {lab.word("rate_head"), 1, true},
                   {lab.word("cpu_head"), 1, true},
                   {lab.word("traffic_head"), 1.2, true}};
  for (std::size_t i = 0; i < route_count; ++i) {
    const StorageTotals& totals = lab.totals[static_cast<std::size_t>(lab.taken(i))];
    const auto derived = [&](double value, Unit unit, std::string_view formula) {
      return figure_cell(Figure::derived(value, unit, lab.word(formula)));
    };
    table.rows.push_back({{word_cell(lab.route_text(i)), derived(totals.total, Unit::nanoseconds, "total_formula"),
                           figure_cell(Figure::derived(lab.rate_text(lab.rate(totals)), lab.word("rate_formula"))),
                           derived(totals.cpu, Unit::nanoseconds, "cpu_formula"),
                           derived(totals.traffic, Unit::bytes, "traffic_formula")},
                          i == lab.chosen,
                          {},
                          {{fmt::format("{}.route", Storage::name), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

Panel schedule_panel(const Storage& lab, double shown) {
  const std::vector<ChunkTimes> all = storage_schedule(lab.setup, lab.route());
  const std::size_t drawn = std::min<std::size_t>(all.size(), most_chunks);
  RasterPicture raster;
  raster.states = {
      {Tone::host, true, false, lab.word("part_call")},     {Tone::quiet, false, false, lab.word("part_latency")},
      {Tone::memory, false, false, lab.word("part_drive")}, {Tone::host, false, false, lab.word("part_copy")},
      {Tone::memory, true, false, lab.word("part_link")},   {Tone::quiet, true, true, lab.word("waits")}};
  constexpr std::size_t waits = part_count;
  raster.word_cycle = lab.word("nanoseconds");
  raster.to = std::max<std::int64_t>(1, std::llround(all[drawn - 1].end[part_count - 1]));
  if (raster.to >= 10'000) {
    raster.axis_unit = 1000;
    raster.word_axis = lab.word("microseconds");
  } else {
    raster.word_axis = raster.word_cycle;
  }
  const auto until = static_cast<std::int64_t>(shown * static_cast<double>(raster.to));
  RasterGroup& group = raster.groups.emplace_back();
  group.name = lab.word("chunks");
  for (std::size_t i = 0; i < drawn; ++i) {
    RasterRow& row = group.rows.emplace_back();
    row.label = fmt::to_string(i + 1);
    row.value = static_cast<double>(i);
    std::int64_t at = std::llround(all[i].start[0]);
    const auto add = [&](double to, std::size_t state) {
      const std::int64_t end = std::min<std::int64_t>(std::llround(to), until);
      if (end > at) row.spans.push_back({at, end, state, raster.states[state].word});
      at = std::max(at, end);
    };
    for (std::size_t part = 0; part < part_count; ++part) {
      add(all[i].start[part], waits);
      add(all[i].end[part], part);
    }
  }
  return {lab.word("schedule_head", {{"shown", fmt::to_string(drawn)}, {"all", with_thousands(lab.now().chunks)}}), 1,
          std::move(raster)};
}

Panel parts_table(const Storage& lab) {
  TablePicture table;
  const StorageTotals& totals = lab.now();
  TableRow busy, share;
  table.columns = {{lab.word("busy_head"), 1}};
  for (const Part part : {Part::call, Part::drive, Part::copy, Part::link}) {
    const double ns = totals.busy[static_cast<std::size_t>(part)];
    if (ns == 0) continue;
    table.columns.push_back({lab.word(Storage::part_keys[static_cast<std::size_t>(part)]), 1, true});
    const double of = totals.total * (part == Part::copy ? lab.setup.threads : 1);
    TableCell cell = figure_cell(Figure::derived(100 * ns / of, Unit::percent, lab.word("busy_formula")));
    if (part == totals.limit) cell.tone = Tone::followed;
    if (share.cells.empty()) share.cells.push_back(word_cell(lab.word("share")));
    share.cells.push_back(std::move(cell));
  }
  table.rows.push_back(std::move(share));
  return {"", 1, std::move(table)};
}

Panel blocks_panel(const Storage& lab) {
  constexpr std::int64_t cell = 512, per_block = StorageSetup::block / cell, most_blocks = 6;
  const std::int64_t bytes = std::min(lab.setup.chunk, lab.setup.file);
  const std::int64_t blocks = touched_bytes(lab.setup.offset, bytes) / StorageSetup::block;
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(per_block) * 4;
  for (std::int64_t i = 0; i < std::min(blocks, most_blocks) * per_block; ++i) {
    const std::int64_t at = i * cell;
    const bool asked = at >= lab.setup.offset && at < lab.setup.offset + bytes;
    cells.cells.push_back({asked ? Tone::memory : Tone::shared, {}, lab.word(asked ? "asked" : "read_too")});
  }
  cells.legend = {{Tone::memory, lab.word("asked")}, {Tone::shared, lab.word("read_too")}};
  cells.summary = lab.word("blocks_summary", {{"blocks", with_thousands(blocks)}});
  if (blocks > most_blocks) cells.note = lab.word("first_blocks", {{"n", fmt::to_string(most_blocks)}});
  return {lab.word("blocks_head"), 1, std::move(cells)};
}

Panel blocks_table(const Storage& lab) {
  TablePicture table;
  table.columns = {{lab.word("chunk_head"), 1.2}, {lab.word("read_head"), 1, true}, {lab.word("more_head"), 1, true}};
  for (const std::int64_t kib : {4, 16, 64, 1024}) {
    StorageSetup setup = lab.setup;
    setup.chunk = kib << 10;
    double read = 0;
    for (std::int64_t at = 0; at < setup.file; at += setup.chunk)
      read += static_cast<double>(touched_bytes(setup.offset + at, std::min(setup.chunk, setup.file - at)));
    table.rows.push_back({{word_cell(bytes_text(static_cast<double>(setup.chunk))),
                           figure_cell(Figure::derived(read, Unit::bytes, lab.word("read_formula"))),
                           figure_cell(Figure::derived(100 * (read / static_cast<double>(setup.file) - 1),
                                                       Unit::percent, lab.word("more_formula")))},
                          setup.chunk == lab.setup.chunk,
                          {},
                          {{fmt::format("{}.chunk", Storage::name), static_cast<double>(kib)}}});
  }
  return {"", 1, std::move(table)};
}

Panel chunks_panel(const Storage& lab) {
  ScatterPicture picture;
  std::vector<double> sizes;
  for (double kib = 4; kib <= 16384; kib *= 2) sizes.push_back(kib * 1024);
  picture.across = {lab.word("chunk_axis"), 2048, std::ldexp(1, 25), true, {}};
  for (std::size_t i = 0; i < sizes.size(); i += 2) picture.across.ticks.emplace_back(sizes[i], bytes_text(sizes[i]));
  add_rates(lab, picture, sizes, [](StorageSetup& setup, double value) { setup.chunk = std::llround(value); });
  const auto here = static_cast<double>(lab.setup.chunk);
  picture.lines.push_back({{here, 0}, {here, picture.up.to}, lab.word("chosen"), true});
  return {"", 1.2, std::move(picture)};
}

Panel copy_panel(const Storage& lab) {
  ScatterPicture picture;
  picture.across = {lab.word("copy_axis"), 0.8, 40, true, {}};
  std::vector<double> rates = {1, 2, 4, 8, 16, 32};
  for (const double rate : rates) picture.across.ticks.emplace_back(rate, with_marks(fmt::format("{:g}", rate)));
  add_rates(lab, picture, rates, [](StorageSetup& setup, double value) { setup.copy = value; });
  picture.lines.push_back({{lab.setup.copy, 0}, {lab.setup.copy, picture.up.to}, lab.word("chosen"), true});
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
