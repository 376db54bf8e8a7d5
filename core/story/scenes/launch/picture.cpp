#include "core/story/scenes/launch/picture.h"

#include <iterator>

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

bool seen(double shown) { return shown > 0.5; }

}  // namespace

std::string text_of(const LaunchPicture& p) {
  std::string out;
  const auto line = [&](const auto&... parts) {
    out += "  ";
    ((out += parts), ...);
    out += "\n";
  };
  if (seen(p.way.shown)) {
    for (const RowGroup& group : p.way.time.groups)
      for (const Row& row : group.rows)
        for (const Bar& bar : row.bars)
          if (bar.followed)
            line("bar: ", group.name, " / ", row.name, ": ", bar.label,
                 p.way.time.untimed ? std::string()
                                    : fmt::format(", {} to {}", time_text(static_cast<double>(bar.start)),
                                                  time_text(static_cast<double>(bar.end))));
    for (const Measure& measure : p.way.time.measures)
      if (measure.shown > 0) line("measure: ", measure.label);
    if (p.way.stations_shown) {
      line("order: ", p.way.order);
      if (!p.way.ahead.empty()) {
        std::string ahead = p.way.more_ahead;
        for (const std::string& name : p.way.ahead) ahead += (ahead.empty() ? "" : ", ") + name;
        line("before it in the stream: ", ahead);
      }
      for (const LaunchWay::Stop* stop : {&p.way.driver, &p.way.stream, &p.way.link, &p.way.front_end})
        line("station: ", stop->name, ": ", stop->task);
      if (p.way.engine) line("station: ", p.way.engine->name, ": ", p.way.engine->task);
      line(p.way.note);
    }
  }
  if (seen(p.floor_shown)) {
    line("grid: ", p.grid.head, p.grid.note.empty() ? "" : ", ", p.grid.note);
    if (!p.groups.empty()) line("SMs: ", p.head_sms, p.origin_word.empty() ? "" : ", ", p.origin_word);
    if (!p.limits.empty()) {
      std::string limits;
      for (const RoomLimit& limit : p.limits)
        limits +=
            fmt::format("{}{} {}{}", limits.empty() ? "" : ", ", limit.word, limit.blocks, limit.limits ? " *" : "");
      line(p.word_limits, " ", limits);
    }
    if (!p.grid.state.empty()) line("blocks: ", p.grid.state);
  }
  if (seen(p.floor_shown) || seen(p.waves_shown))
    for (const PlacedBlock& block : p.placed)
      if (block.block == p.followed && (p.followed_way > 0 || seen(p.waves_shown)))
        line(p.word_block, " ", with_thousands(static_cast<std::int64_t>(block.block)), ": ", p.word_sm, " ",
             std::to_string(block.sm), ", ", p.word_slot, " ", std::to_string(block.slot), ", ", p.word_wave, " ",
             std::to_string(block.turn + 1));
  if (seen(p.waves_shown)) {
    for (const WaveLayer& layer : p.layers)
      line(layer.label, ": ", layer.use, layer.use.empty() || layer.time.empty() ? "" : ", ", layer.time);
    if (!p.gap_label.empty()) line(p.gap_label);
    if (!p.more_waves.empty()) line(p.more_waves);
    if (!p.last_wave.empty()) line(p.last_wave);
    if (seen(p.compare_shown))
      for (const GpuLine& gpu : p.gpus)
        line(p.head_gpus, " ", gpu.name, ": ", gpu.time.empty() ? "" : p.head_time + " " + gpu.time + "; ", gpu.detail,
             gpu.efficiency.empty() ? "" : "; " + p.head_efficiency + " ", gpu.efficiency);
  }
  if (!p.what_if.empty()) line(p.what_if);
  if (!p.note.empty()) line(p.note);
  return out;
}

std::string everything_in(const LaunchPicture& p) {
  std::string out;
  const auto add = [&](const auto&... parts) {
    ((fmt::format_to(std::back_inserter(out), "{} ", parts)), ...);
    out += "\n";
  };
  const LaunchWay& way = p.way;
  add(way.shown, way.time.from, way.time.to, way.time.untimed, way.time.scale_note, way.stations_shown, way.order,
      way.more_ahead, way.ahead_done, way.travelled, way.note);
  for (const RowGroup& group : way.time.groups)
    for (const Row& row : group.rows) {
      add(group.name, row.name, row.shown);
      for (const Bar& bar : row.bars)
        add(bar.label, bar.slice, bar.start, bar.end, static_cast<int>(bar.role), bar.followed, bar.merged);
    }
  for (const Measure& measure : way.time.measures) add(measure.label, measure.start, measure.end, measure.shown);
  for (const Arrow& arrow : way.time.arrows) add(arrow.from, arrow.to, arrow.travelled);
  for (const LaunchWay::Stop* stop : {&way.driver, &way.stream, &way.link, &way.front_end}) add(stop->name, stop->task);
  if (way.engine) add(way.engine->name, way.engine->task);
  for (const std::string& name : way.ahead) add(name);
  add(p.grid.blocks, p.grid.per_cell, p.grid.columns, p.grid.head, p.grid.note, p.grid.state, p.grid.shown);
  add(p.grid.shape[0], p.grid.shape[1], p.grid.shape[2]);
  for (const SmGroup& group : p.groups) {
    add(group.label, group.note);
    for (const std::uint32_t sm : group.sms) add(sm);
  }
  for (const PlacedBlock& b : p.placed) add(b.block, b.sm, b.slot, b.turn, b.start, b.end);
  add(p.slots_per_sm, p.landed, p.floor_shown, p.sms_shown, p.followed, p.followed_way, p.head_sms, p.origin_word);
  add(p.waves_shown, p.swept, p.last_tick, p.gap_from, p.gap_to, p.gap_label, p.more_waves, p.last_wave, p.last_share,
      p.tail_shown, p.compare_shown, p.tick_ns, static_cast<int>(p.placement_origin));
  for (const WaveLayer& layer : p.layers) add(layer.label, layer.time, layer.use, layer.start);
  for (const GpuLine& gpu : p.gpus)
    add(gpu.name, gpu.detail, gpu.time, gpu.efficiency, gpu.share, gpu.choice, gpu.chosen);
  add(p.head_gpus, p.head_time, p.head_efficiency);
  for (const RoomLimit& limit : p.limits) add(limit.word, limit.blocks, limit.limits);
  add(p.word_limits, p.word_brighter, p.note, p.what_if, p.word_block, p.word_sm, p.word_slot, p.word_wave,
      p.word_waits);
  return out;
}

}  // namespace warpwalk::story
