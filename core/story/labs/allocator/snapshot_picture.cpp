// Pictures of a memory snapshot.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/story/labs/allocator/allocator.h"

namespace warpwalk::story::allocator_lab {
namespace {

using BlockState = MemorySnapshot::State;

constexpr std::size_t most_segments = 36;  // segments in the picture
constexpr std::size_t most_notes = 8;   // rows with a note each
constexpr std::size_t most_lines = 11;  // rows of a table

// The file with the folder that it is in: the end of a long path is what tells files apart.
std::string place_of(const MemorySnapshot::Frame& frame) {
  const std::string_view file = frame.file;
  std::size_t from = file.rfind('/');
  if (from != std::string_view::npos && from > 0) from = file.rfind('/', from - 1);
  const bool cut = from != std::string_view::npos && from > 0;
  return fmt::format("{}{}:{}", cut ? "…" : "", cut ? file.substr(from) : file, frame.line);
}

std::string line_of(const AllocatorLab& lab, std::uint32_t stack) {
  const MemorySnapshot::Frame* const frame = own_frame(*lab.snapshot, stack);
  return frame == nullptr ? lab.word("no_stack") : frame_text(*frame);
}

// How a block is drawn.
enum ShownState : std::size_t { in_use, followed, awaiting, free_in_part, free_whole };
constexpr std::string_view state_keys[] = {"in_use", "followed", "awaiting", "free_in_part", "free_whole"};

ShownState state_of(const MemorySnapshot::Segment& segment, const MemorySnapshot::Block& block) {
  switch (block.state) {
    case BlockState::allocated: return in_use;
    case BlockState::awaiting_free: return awaiting;
    case BlockState::inactive: break;
  }
  return block.bytes == segment.bytes ? free_whole : free_in_part;
}

std::string note_of(const AllocatorLab& lab, const MemorySnapshot::Segment& segment) {
  return lab.word(segment.expandable ? "expandable_note"
                  : segment.small    ? "small_note"
                                     : "large_note",
                  {{"size", size_text(segment.bytes)}});
}

/// The segments that are drawn: the followed one and the largest others, by address.
std::vector<std::size_t> drawn(const AllocatorLab& lab) {
  std::vector<std::size_t> order(lab.held.segments.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most_segments) return order;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    if ((a == lab.segment) != (b == lab.segment)) return a == lab.segment;
    return lab.held.segments[a].bytes > lab.held.segments[b].bytes;
  });
  order.resize(most_segments);
  std::ranges::sort(order);
  return order;
}

Figure recorded(std::int64_t bytes) { return Figure::recorded(size_text(bytes), Origin::measured); }

}  // namespace

Panel held_panel(const AllocatorLab& lab) {
  RasterPicture raster;
  raster.states = {{Tone::memory, false, false, lab.word("in_use")},
                   {Tone::followed, false, false, lab.word("followed")},
                   {Tone::barrier, false, true, lab.word("awaiting")},
                   {Tone::memory, true, true, lab.word("free_in_part")},
                   {Tone::quiet, false, false, lab.word("free_whole")}};
  raster.control = fmt::format("{}.segment", name);
  raster.span_control = fmt::format("{}.block", name);
  std::int64_t longest = 1;
  const std::vector<std::size_t> shown = drawn(lab);
  for (const std::size_t s : shown) longest = std::max(longest, lab.held.segments[s].bytes);
  const bool large = longest >= 4096 * mib;
  const std::int64_t unit = large ? mib : kib;
  raster.word_cycle = raster.word_rows = large ? "MiB" : "KiB";
  raster.powers_of_two = true;
  RasterGroup groups[2];
  for (const std::size_t s : shown) {
    const MemorySnapshot::Segment& segment = lab.held.segments[s];
    RasterRow row = {fmt::to_string(s + 1), static_cast<double>(s), s == lab.segment};
    for (std::size_t b = 0; b < segment.blocks.size(); ++b) {
      const MemorySnapshot::Block& block = segment.blocks[b];
      const auto offset = static_cast<std::int64_t>(block.address - segment.address);
      const std::int64_t from = offset / unit, to = std::max(from + 1, (offset + block.bytes) / unit);
      const ShownState state = s == lab.segment && b == lab.block ? followed : state_of(segment, block);
      row.spans.push_back({from, to, state,
                           block.state == BlockState::inactive
                               ? size_text(block.bytes)
                               : fmt::format("{}, {}", size_text(block.bytes), line_of(lab, block.stack)),
                           static_cast<double>(b)});
    }
    if (shown.size() <= most_notes) row.note = note_of(lab, segment);
    raster.to = std::max(raster.to, (segment.bytes + unit - 1) / unit);
    groups[segment.small ? 0 : 1].rows.push_back(std::move(row));
  }
  for (const bool small : {true, false})
    if (RasterGroup& group = groups[small ? 0 : 1]; !group.rows.empty()) {
      group.name = lab.word(small ? "small_pool" : "large_pool");
      raster.groups.push_back(std::move(group));
    }
  if (raster.groups.empty()) raster.groups.push_back({lab.word("no_segment"), {}, 1, {}});
  std::string heading = lab.word("held_heading", {{"segments", fmt::to_string(lab.held.segments.size())},
                                                  {"reserved", size_text(lab.held.reserved)}});
  if (shown.size() < lab.held.segments.size())
    heading = lab.word("held_heading_some",
                       {{"segments", with_thousands(static_cast<std::int64_t>(lab.held.segments.size()))},
                        {"shown", fmt::to_string(shown.size())},
                        {"reserved", size_text(lab.held.reserved)}});
  return {std::move(heading), 3, std::move(raster)};
}

Panel blocks_panel(const AllocatorLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("block_size"), 1, true}, {lab.word("block_state"), 1.5}, {lab.word("block_line"), 2.2}};
  if (lab.held.segments.empty()) return {lab.word("no_segment"), 2, std::move(table)};
  const MemorySnapshot::Segment& segment = lab.held.segments[lab.segment];
  const std::size_t all = segment.blocks.size();
  const std::size_t first =
      all <= most_lines ? 0 : std::min(all - most_lines, lab.block < most_lines / 2 ? 0 : lab.block - most_lines / 2);
  for (std::size_t b = first; b < std::min(all, first + most_lines); ++b) {
    const MemorySnapshot::Block& block = segment.blocks[b];
    TableRow row = {{figure_cell(recorded(block.bytes)),
                     word_cell(lab.word(fmt::format("state_{}", state_keys[state_of(segment, block)]))),
                     word_cell(block.state == BlockState::inactive ? "" : line_of(lab, block.stack))},
                    b == lab.block};
    row.sets = {{fmt::format("{}.segment", name), static_cast<double>(lab.segment)},
                {fmt::format("{}.block", name), static_cast<double>(b)}};
    table.rows.push_back(std::move(row));
  }
  return {lab.word("blocks_heading", {{"n", fmt::to_string(lab.segment + 1)},
                                      {"note", note_of(lab, segment)},
                                      {"blocks", with_thousands(static_cast<std::int64_t>(all))},
                                      {"stream", fmt::to_string(segment.stream)}}),
          2, std::move(table)};
}

Panel stack_panel(const AllocatorLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("frame_line"), 2}, {lab.word("frame_name"), 1}};
  const MemorySnapshot::Block* const block = lab.followed();
  const std::uint32_t stack = lab.refusal ? lab.refusal->stack : block == nullptr ? 0 : block->stack;
  const std::vector<std::uint32_t>& frames = lab.snapshot->stacks[stack];
  const MemorySnapshot::Frame* const own = own_frame(*lab.snapshot, stack);
  const auto own_at = static_cast<std::size_t>(
      std::ranges::find_if(frames, [&](std::uint32_t n) { return &lab.snapshot->frames[n] == own; }) - frames.begin());
  // Behind many frames of C++, the list begins with the callees of the own line.
  const std::size_t first = own == nullptr || own_at < most_lines ? 0 : own_at - 3;
  const std::size_t last = std::min(frames.size(), first + most_lines);
  const auto add_rest = [&](std::size_t n) {
    if (n != 0)
      table.rows.push_back({{word_cell(lab.word("more_frames", {{"n", fmt::to_string(n)}})), word_cell("")}, false});
  };
  add_rest(first);
  for (std::size_t i = first; i < last; ++i) {
    const MemorySnapshot::Frame& frame = lab.snapshot->frames[frames[i]];
    TableCell place = word_cell(place_of(frame));
    place.code = true;
    place.tip = fmt::format("{}:{}", frame.file, frame.line);
    TableCell function = word_cell(frame.name);
    function.code = true;
    table.rows.push_back({{std::move(place), std::move(function)}, &frame == own});
  }
  add_rest(frames.size() - last);
  if (frames.empty()) table.rows.push_back({{word_cell(lab.word("no_stack")), word_cell("")}, false});
  return {lab.word(lab.refusal ? "refused_stack_heading" : "stack_heading"), 2, std::move(table)};
}

Panel line_bars_panel(const AllocatorLab& lab) {
  constexpr std::size_t most = 9;
  RasterPicture raster;
  raster.states = {{Tone::memory, false, false, lab.word("in_use")}};
  RasterGroup group;
  const std::vector<LineSum> sums = sums_by_line(*lab.snapshot, lab.held, lab.callers);
  const bool large = !sums.empty() && sums[0].bytes >= 1024 * mib;
  const std::int64_t unit = large ? mib : kib;
  raster.word_cycle = raster.word_rows = large ? "MiB" : "KiB";
  raster.powers_of_two = true;
  for (std::size_t i = 0; i < std::min(most, sums.size()); ++i) {
    RasterRow row = {fmt::to_string(i + 1), static_cast<double>(i)};
    const std::int64_t to = std::max<std::int64_t>(1, sums[i].bytes / unit);
    row.spans.push_back({0, to, 0, size_text(sums[i].bytes)});
    row.note = analysis::shortened(sums[i].line.empty() ? lab.word("no_stack") : sums[i].line, 40);
    raster.to = std::max(raster.to, to);
    group.rows.push_back(std::move(row));
  }
  raster.groups.push_back(std::move(group));
  return {"", 1, std::move(raster)};
}

Panel lines_panel(const AllocatorLab& lab) {
  TablePicture table;
  table.columns = {{lab.word("held_line"), 3},
                   {lab.word("held_bytes"), 1, true},
                   {lab.word("held_share"), 1, true},
                   {lab.word("held_blocks"), 1, true}};
  constexpr std::size_t most = 9;
  const std::vector<LineSum> sums = sums_by_line(*lab.snapshot, lab.held, lab.callers);
  const auto in_use = static_cast<double>(std::max<std::int64_t>(1, lab.held.allocated + lab.held.awaiting));
  const auto add = [&](std::string line, std::int64_t bytes, std::size_t blocks) {
    TableCell place = word_cell(std::move(line));
    place.code = true;
    table.rows.push_back(
        {{std::move(place), figure_cell(Figure::derived(size_text(bytes), lab.word("line_formula"))),
          figure_cell(
              Figure::derived(100.0 * static_cast<double>(bytes) / in_use, Unit::percent, lab.word("share_formula"))),
          figure_cell(Figure::derived(static_cast<double>(blocks), Unit::count, lab.word("line_formula")))},
         false});
  };
  for (std::size_t i = 0; i < std::min(most, sums.size()); ++i)
    add(sums[i].line.empty() ? lab.word("no_stack") : sums[i].line, sums[i].bytes, sums[i].blocks);
  if (sums.size() > most) {
    LineSum rest;
    for (std::size_t i = most; i < sums.size(); ++i) {
      rest.bytes += sums[i].bytes;
      rest.blocks += sums[i].blocks;
    }
    add(lab.word("more_lines", {{"n", with_thousands(static_cast<std::int64_t>(sums.size() - most))}}), rest.bytes,
        rest.blocks);
  }
  return {"", 1, std::move(table)};
}

Panel history_panel(const AllocatorLab& lab) {
  ChartPicture chart;
  chart.tip = lab.word("history_tip");
  chart.control = fmt::format("{}.entry", name);
  chart.stops = lab.stops;
  const auto& memory = lab.input.trace.memory;
  const auto all = static_cast<double>(memory.size());
  chart.to = std::max(1.0, all);
  std::int64_t top = 1;
  // Between two stops, the highest total.
  for (std::size_t i = 0; i + 1 < lab.stops.size(); ++i) {
    const auto from = static_cast<std::size_t>(lab.stops[i]), to = static_cast<std::size_t>(lab.stops[i + 1]);
    std::int64_t high = 0;
    for (std::size_t row = from; row < to; ++row)
      if (memory[row].device == lab.device) high = std::max(high, memory[row].allocated);
    top = std::max(top, high);
    chart.steps.push_back({static_cast<double>(from), static_cast<double>(to), static_cast<double>(high)});
  }
  chart.top = static_cast<double>(top) * 1.1;
  const bool large = top >= 10000 * mib;
  const auto unit = static_cast<double>(large ? 1024 * mib : top >= 10 * mib ? mib : kib);
  chart.label = lab.word("in_use_by_change", {{"unit", large ? "GiB" : top >= 10 * mib ? "MiB" : "KiB"}});
  chart.levels = {{0, "0"},
                  {static_cast<double>(top), with_marks(fmt::format("{:.4g}", static_cast<double>(top) / unit))}};
  chart.ticks = {{0, "0"}, {all, with_thousands(static_cast<std::int64_t>(memory.size()))}};
  const auto at = static_cast<double>(lab.entries);
  std::int64_t value = 0;
  for (const ChartStep& step : chart.steps)
    if (at >= step.from && at <= step.to) value = static_cast<std::int64_t>(step.value);
  chart.here = {at, static_cast<double>(value),
                lab.word("entry_n", {{"n", with_thousands(static_cast<std::int64_t>(lab.entries))}})};
  return {"", 1, std::move(chart)};
}

Panel verdict_panel(const AllocatorLab& lab) {
  TablePicture table;
  table.columns = {{lab.word(lab.refusal ? "verdict_head" : "now_head"), 2.2, false, false, true},
                   {lab.word("here_head"), 1, true, true},
                   {lab.word("means_head"), 2.4, false, false, true}};
  const auto row = [&](std::string_view key, Figure figure) {
    table.rows.push_back({{word_cell(lab.word(key)), figure_cell(std::move(figure)),
                           word_cell(lab.word(fmt::format("{}_means", key)), Tone::quiet)},
                          false});
  };
  const HeldMemory& held = lab.held;
  if (lab.refusal) {
    row("asked_for", recorded(lab.refusal->bytes));
    row("in_blocks", Figure::derived(size_text(held.allocated), lab.word("in_blocks_formula")));
    row("free_total", Figure::derived(size_text(lab.refusal->free), lab.word("free_total_formula")));
    row("free_largest", Figure::derived(size_text(lab.refusal->largest), lab.word("free_largest_formula")));
    if (lab.refusal->device_free != trace::absent) row("device_free", recorded(lab.refusal->device_free));
  } else {
    row("in_blocks", Figure::derived(size_text(held.allocated), lab.word("in_blocks_formula")));
    row("inactive_held", Figure::derived(size_text(held.inactive), lab.word("inactive_held_formula")));
    row("whole_held", Figure::derived(size_text(held.whole), lab.word("whole_held_formula")));
  }
  return {"", 3, std::move(table)};
}

}  // namespace warpwalk::story::allocator_lab
