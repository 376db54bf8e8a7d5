// Pictures of the allocator's model.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/records/hardware.h"
#include "core/story/labs/allocator/allocator.h"

namespace warpwalk::story::allocator_lab {
namespace {

using Segment = ops::CachingAllocator::Segment;

std::int64_t kib_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes / kib); }

void add_states(const AllocatorLab& lab, RasterPicture& raster) {
  raster.states = {{Tone::memory, false, false, lab.word("in_use")},
                   {Tone::work, false, false, lab.word("just_now")},
                   {Tone::memory, true, true, lab.word("free_in_part")},
                   {Tone::quiet, false, false, lab.word("free_whole")}};
  raster.word_cycle = raster.word_rows = "KiB";
  raster.powers_of_two = true;
}

// The axis of large segments is in MiB.
void set_axis(RasterPicture& raster) {
  if (raster.to < 8 * 1024) return;
  raster.axis_unit = 1024;
  raster.word_axis = "MiB";
}

void add_segment(const AllocatorLab& lab, RasterRow& row, const Segment& segment, std::uint64_t latest) {
  const bool whole = segment.blocks.size() == 1 && !segment.blocks[0].in_use;
  for (const auto& block : segment.blocks) {
    const std::int64_t from = kib_of(block.address - segment.address);
    const std::int64_t to = std::max(from + 1, kib_of(block.address - segment.address + block.bytes));
    const std::size_t state = whole ? 3 : !block.in_use ? 2 : block.address == latest ? 1 : 0;
    const auto bytes = static_cast<std::int64_t>(block.bytes);
    row.spans.push_back({from, to, state,
                         block.in_use
                             ? lab.word("block_tip", {{"size", size_text(bytes)},
                                                      {"asked", size_text(static_cast<std::int64_t>(block.requested))}})
                             : size_text(bytes)});
  }
  row.note = size_text(static_cast<std::int64_t>(segment.bytes));
  if (segment.small) row.note = lab.word("small_note", {{"size", row.note}});
}

Figure derived(const AllocatorLab& lab, std::string text, std::string_view formula) {
  return Figure::derived(std::move(text), lab.word(formula));
}

}  // namespace

Panel costs_panel(const AllocatorLab& lab, double shown) {
  ScatterPicture picture;
  picture.across = {lab.word("asked_size"), 512, 1073741824, true, {}};
  for (const double tick : {1024.0, 32.0 * 1024, 1048576.0, 32.0 * 1048576, 1073741824.0})
    picture.across.ticks.emplace_back(tick, size_text(static_cast<std::int64_t>(tick)));
  picture.up = {lab.word("call_time"), 100, 1e6, true, {}};
  for (const double tick : {100.0, 1e3, 1e4, 1e5, 1e6})
    picture.up.ticks.emplace_back(tick, tick < 1e6 ? time_text(tick) : "1 ms");
  static constexpr std::pair<std::string_view, Tone> calls[] = {
      {cuda_malloc, Tone::host}, {cuda_free, Tone::barrier}, {cached_alloc, Tone::work}, {cached_free, Tone::memory}};
  for (std::size_t group = 0; group < std::size(calls); ++group) {
    picture.groups.push_back({lab.word(calls[group].first), calls[group].second});
    std::vector<const records::CoreTimes*> rows;
    for (const records::CoreTimes& one : lab.input.hardware.core_times)
      if (one.work == calls[group].first) rows.push_back(&one);
    const auto count = static_cast<std::size_t>(std::ceil(shown * static_cast<double>(rows.size())));
    for (std::size_t i = 0; i < std::min(count, rows.size()); ++i)
      picture.points.push_back(
          {rows[i]->size, rows[i]->one_core, group,
           fmt::format("{}, {}", lab.word(calls[group].first), size_text(static_cast<std::int64_t>(rows[i]->size))),
           time_text(rows[i]->one_core), false});
  }
  const auto at = static_cast<double>(lab.request);
  picture.lines.push_back({{at, 100}, {at, 1e6}, size_text(lab.request), true});
  return {"", 1, std::move(picture)};
}

Panel rules_panel(const AllocatorLab& lab) {
  const auto bytes = static_cast<std::uint64_t>(lab.request);
  const std::uint64_t rounded = ops::CachingAllocator::rounded(bytes);
  const bool small = ops::CachingAllocator::is_small(rounded);
  const std::uint64_t taken = ops::CachingAllocator::segment_for(rounded);
  TablePicture table;
  table.columns = {{lab.word("rule"), 2.2, false, false, true}, {lab.word("result"), 1.2}};
  const auto row = [&](std::string_view rule, TableCell result) {
    table.rows.push_back({{word_cell(lab.word(rule)), std::move(result)}, false});
  };
  row("rule_asked", figure_cell(derived(lab, size_text(lab.request), "set_here")));
  row("rule_rounded", figure_cell(derived(lab, size_text(static_cast<std::int64_t>(rounded)), "rounding")));
  row("rule_pool", word_cell(lab.word(small ? "small_pool" : "large_pool")));
  row("rule_segment", figure_cell(derived(lab, size_text(static_cast<std::int64_t>(taken)), "segment_formula")));
  const std::vector<Shot> shots = run_plan({{Action::Kind::allocate, lab.request, 0}}, with_limit({}, lab.limit));
  const auto& blocks = shots[0].segments;
  const std::uint64_t block = blocks.empty() ? 0 : blocks[0].blocks[0].bytes;
  row("rule_block", figure_cell(derived(lab, size_text(static_cast<std::int64_t>(block)), "split_formula")));
  return {"", 1, std::move(table)};
}

Panel one_segment_panel(const AllocatorLab& lab) {
  const std::vector<Shot> shots = run_plan({{Action::Kind::allocate, lab.request, 0}}, with_limit({}, lab.limit));
  RasterPicture raster;
  add_states(lab, raster);
  RasterGroup group;
  for (const Segment& segment : shots[0].segments) {
    RasterRow row = {"1", 0};
    add_segment(lab, row, segment, shots[0].address);
    raster.to = std::max(raster.to, kib_of(segment.bytes));
    group.rows.push_back(std::move(row));
  }
  raster.groups.push_back(std::move(group));
  set_axis(raster);
  return {lab.word("segment_heading"), 1, std::move(raster)};
}

Panel segments_panel(const AllocatorLab& lab, bool notes) {
  const Shot& shot = lab.shot();
  RasterPicture raster;
  add_states(lab, raster);
  RasterGroup groups[2];
  const std::uint64_t latest = shot.action.kind == Action::Kind::allocate ? shot.address : 0;
  std::size_t number = 0;
  for (const Segment& segment : shot.segments) {
    RasterRow row = {fmt::to_string(++number), static_cast<double>(number)};
    add_segment(lab, row, segment, latest);
    if (!notes || shot.segments.size() > 10) row.note.clear();
    groups[segment.small ? 0 : 1].rows.push_back(std::move(row));
  }
  // The same scale for every step.
  for (const Shot& any : lab.shots)
    for (const Segment& segment : any.segments) raster.to = std::max(raster.to, kib_of(segment.bytes));
  for (const bool small : {true, false}) {
    RasterGroup& group = groups[small ? 0 : 1];
    if (group.rows.empty()) continue;
    group.name = lab.word(small ? "small_pool" : "large_pool");
    raster.groups.push_back(std::move(group));
  }
  if (raster.groups.empty()) raster.groups.push_back({lab.word("no_segment"), {}, 1, {}});
  if (is_refused(shot.outcome)) {
    raster.states.push_back({Tone::refused, false, true, lab.word("refused")});
    const std::int64_t size = kib_of(static_cast<std::uint64_t>(shot.action.bytes));
    RasterRow row = {"", 0};
    row.spans.push_back({0, std::max<std::int64_t>(1, size), raster.states.size() - 1, size_text(shot.action.bytes)});
    if (notes) row.note = size_text(shot.action.bytes);
    raster.to = std::max(raster.to, size);
    raster.groups.push_back({notes ? lab.word("request") : size_text(shot.action.bytes), {}, 1, {std::move(row)}});
  }
  set_axis(raster);
  return {notes ? lab.word("segments_heading", {{"reserved", size_text(shot.reserved)}}) : "", 3, std::move(raster)};
}

Panel steps_panel(const AllocatorLab& lab) {
  constexpr std::size_t most = 10;
  TablePicture table;
  table.columns = {{lab.word("step"), 1, true, true}, {lab.word("call"), 2.1}, {lab.word("outcome"), 2}};
  static constexpr std::string_view outcomes[] = {"cached",  "driver", "retried",   "freed",
                                                  "nothing", "full",   "fragmented"};
  const std::size_t first = lab.steps > most ? lab.steps - most : 0;
  for (std::size_t i = first; i < lab.steps; ++i) {
    const Shot& shot = lab.shots[i];
    const std::string call =
        shot.action.kind == Action::Kind::allocate ? lab.word("allocates", {{"size", size_text(shot.action.bytes)}})
        : shot.action.kind == Action::Kind::free
            ? lab.word("frees", {{"size", size_text(shot.action.bytes)}, {"n", fmt::to_string(shot.action.which + 1)}})
            : lab.word("empty_cache");
    const bool driver = !shot.taken.empty() || !shot.given.empty();
    table.rows.push_back({{number_cell(static_cast<std::int64_t>(i + 1)), word_cell(call),
                           word_cell(lab.word(fmt::format("outcome_{}", outcomes[static_cast<int>(shot.outcome)])),
                                     is_refused(shot.outcome) ? Tone::refused
                                     : driver                 ? Tone::host
                                                              : Tone::work)},
                          i + 1 == lab.steps});
  }
  return {"", 2.6, std::move(table)};
}

Panel settings_panel(const AllocatorLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("setting"), 3.2},
                   {lab.word("peak_head"), 1.2, true},
                   {lab.word("inactive_head"), 1.2, true},
                   {lab.word("calls_head"), 0.8, true},
                   {lab.word("refused_head"), 1.2, true},
                   {lab.word("last_head"), 2.5}};
  static constexpr std::string_view outcomes[] = {"cached",  "driver", "retried",   "freed",
                                                  "nothing", "full",   "fragmented"};
  for (std::size_t i = 0; i < std::size(allocator_settings); ++i) {
    const std::vector<Shot> shots = run_plan(lab.plan, with_limit(allocator_settings[i].rules, lab.limit));
    std::int64_t peak = 0, calls = 0, refused = 0;
    for (const Shot& shot : shots) {
      peak = std::max(peak, shot.reserved);
      calls += static_cast<std::int64_t>(shot.taken.size() + shot.given.size());
      refused += is_refused(shot.outcome);
    }
    const Outcome last = shots.back().outcome;
    table.rows.push_back(
        {{word_cell(lab.word(allocator_settings[i].key)), figure_cell(derived(lab, size_text(peak), "peak_formula")),
          figure_cell(derived(lab, size_text(shots.back().inactive), "inactive_formula")),
          figure_cell(Figure::derived(static_cast<double>(calls), Unit::count, lab.word("calls_formula"))),
          figure_cell(Figure::derived(static_cast<double>(refused), Unit::count, lab.word("refused_formula"))),
          word_cell(lab.word(fmt::format("outcome_{}", outcomes[static_cast<int>(last)])),
                    is_refused(last) ? Tone::refused : Tone::work)},
         i == lab.setting,
         {},
         {{fmt::format("{}.setting", name), static_cast<double>(i)}}});
  }
  return {"", 1, std::move(table)};
}

Panel message_panel(const AllocatorLab& lab) {
  const Shot& last = lab.shots.back();
  TablePicture table;
  table.columns = {{lab.word("message_head"), 2, false, false, true},
                   {lab.word("here_head"), 1, true, true},
                   {lab.word("means_head"), 2.4, false, false, true}};
  const auto row = [&](std::string_view key, std::int64_t bytes) {
    table.rows.push_back({{word_cell(lab.word(fmt::format("message_{}", key))),
                           figure_cell(derived(lab, size_text(bytes), fmt::format("message_{}_formula", key))),
                           word_cell(lab.word(fmt::format("message_{}_means", key)), Tone::quiet)},
                          false});
  };
  row("tried", last.action.bytes);
  row("limit", lab.limit);
  row("allocated", last.allocated);
  row("unallocated", last.reserved - last.allocated);
  row("largest", last.largest_free);
  return {lab.word(is_refused(last.outcome) ? "message_heading" : "no_message_heading"), 3, std::move(table)};
}

}  // namespace warpwalk::story::allocator_lab
