// Lab: how the addresses of a warp's load or store become sectors and lines of global memory.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/gpu/timing/coalescer.h"
#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/warp/lane_pattern.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view coalescing_name = "lab/coalescing";
constexpr std::string_view coalescing_words = "lab/coalescing.word";
constexpr std::string_view order_keys[lane_orders] = {"in_order", "reversed", "swapped", "shuffled", "scattered"};
constexpr int access_widths[] = {1, 2, 4, 8, 16};
constexpr std::int64_t max_stride = 40, max_offset = 32;
constexpr std::int64_t sector_bytes = 32;

// A pattern folded into lines and sectors, by the coalescer of the simulated GPU.
struct Folded {
  LanePattern pattern;
  gpu::CoalescedAccess access;

  Folded(std::int64_t stride, std::int64_t offset, int bytes, LaneOrder order)
      : pattern(global_pattern(stride, offset, bytes, order)) {
    gpu::LoggedAccess logged;
    logged.bytes = static_cast<std::uint8_t>(bytes);
    logged.mask = 0xffffffff;
    logged.at = pattern.at;
    access = gpu::coalesce(logged);
  }
  std::int64_t sectors() const { return access.sectors(); }
  std::int64_t moved() const { return sectors() * sector_bytes; }
  std::int64_t used() const { return distinct_bytes(pattern); }
  double efficiency() const { return 100.0 * static_cast<double>(used()) / static_cast<double>(moved()); }
};

// The settings that a beat starts with.
struct CoalescingStart {
  std::int64_t stride = 1, offset = 0;
  LaneOrder order = LaneOrder::in_order;
};

struct Coalescing {
  const SceneInput& input;
  ControlSet controls{input, coalescing_name};
  std::int64_t stride = 1, offset = 0;
  int bytes = 4;
  LaneOrder order = LaneOrder::in_order;
  std::size_t lane = 0;
  Folded folded{1, 0, 4, LaneOrder::in_order};

  Coalescing(const SceneInput& in, const CoalescingStart& start) : input(in) {
    stride = controls.slider("stride", steps_by(0, max_stride, 1), start.stride, "example");
    offset = controls.slider("offset", steps_by(0, max_offset, 1), start.offset, "example");
    std::vector<std::string> bytes_words, order_words;
    for (const int one : access_widths) bytes_words.push_back(fmt::format("{} B", one));
    for (const std::string_view key : order_keys) order_words.push_back(word(key));
    bytes = access_widths[controls.choice("width", std::move(bytes_words), 2, "example")];
    order = static_cast<LaneOrder>(
        controls.choice("order", std::move(order_words), static_cast<std::size_t>(start.order), "example"));
    lane = static_cast<std::size_t>(controls.pointed("lane", 31, 5));
    folded = Folded(stride, offset, bytes, order);
  }

  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(coalescing_words, key, values);
  }
  std::string percent() const { return fmt::format("{:.0f} %", folded.efficiency()); }
};

// Each lane with its address, and which lanes share a sector with the followed one.
Panel lanes_panel(const Coalescing& c) {
  const std::uint64_t own = c.folded.pattern.at[c.lane] / sector_bytes;
  CellGrid cells;
  cells.columns = 32;
  cells.control = fmt::format("{}.lane", coalescing_name);
  cells.followed = c.lane;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t at = c.folded.pattern.at[lane];
    cells.cells.push_back({at / sector_bytes == own ? Tone::memory : Tone::plain, fmt::to_string(lane),
                           c.word("lane_tip", {{"lane", fmt::to_string(lane)},
                                               {"address", fmt::format("{}", at)},
                                               {"line", fmt::to_string(at / 128)},
                                               {"sector", fmt::to_string(at / sector_bytes % 4)}})});
  }
  cells.legend = legend(cells, c.input, coalescing_words, {{Tone::memory, "same_sector"}});
  return {c.word("lanes"), 1, std::move(cells)};
}

// The address of each lane, in bytes from the start of the first line that is touched.
Panel addresses_panel(const Coalescing& c) {
  CellGrid cells;
  cells.columns = 16;
  cells.fitted = true;
  const std::uint64_t first = *std::ranges::min_element(c.folded.pattern.at) / 128 * 128;
  for (const std::uint64_t at : c.folded.pattern.at)
    cells.cells.push_back({Tone::memory, fmt::to_string(at - first), ""});
  return {c.word("addresses"), 1, std::move(cells)};
}

// The sectors of the lines that are touched, by address.
Panel sectors_panel(const Coalescing& c) {
  std::vector<gpu::LineAccess> lines(c.folded.access.lines.begin(),
                                     c.folded.access.lines.begin() + c.folded.access.count);
  std::ranges::sort(lines, {}, &gpu::LineAccess::line);
  CellGrid cells;
  cells.columns = 16;
  for (const gpu::LineAccess& line : lines)
    for (std::uint64_t sector = 0; sector < 4; ++sector) {
      const std::uint64_t from = line.line * 128 + sector * sector_bytes;
      std::vector<std::uint64_t> starts;
      std::int64_t lanes = 0;
      for (const std::uint64_t at : c.folded.pattern.at)
        if (at / sector_bytes == from / sector_bytes) {
          ++lanes;
          if (std::ranges::find(starts, at) == starts.end()) starts.push_back(at);
        }
      const std::int64_t used = std::ssize(starts) * c.bytes;
      cells.cells.push_back({used == 0              ? Tone::quiet
                             : used == sector_bytes ? Tone::work
                                                    : Tone::shared,
                             lanes == 0 ? "" : fmt::to_string(lanes),
                             c.word("sector_tip", {{"line", fmt::to_string(line.line)},
                                                   {"sector", fmt::to_string(sector)},
                                                   {"used", fmt::to_string(used)},
                                                   {"lanes", count_text(c.input.narration, "lane", lanes)}})});
      if (c.folded.pattern.at[c.lane] / sector_bytes == from / sector_bytes) cells.followed = cells.cells.size() - 1;
    }
  cells.legend = legend(cells, c.input, coalescing_words,
                        {{Tone::work, "full"}, {Tone::shared, "partly"}, {Tone::quiet, "untouched"}});
  return {c.word("sectors", {{"lines", count_text(c.input.narration, "line", std::ssize(lines))}}), 1,
          std::move(cells)};
}

// Sectors against the stride or the offset.
Panel chart_panel(const Coalescing& c, bool of_stride) {
  const std::int64_t last = of_stride ? max_stride : max_offset, here = of_stride ? c.stride : c.offset;
  ChartPicture chart;
  chart.label = c.word(of_stride ? "stride_axis" : "offset_axis");
  chart.tip = c.word("chart_tip");
  chart.from = -0.5;
  chart.to = static_cast<double>(last) + 0.5;
  chart.control = fmt::format("{}.{}", coalescing_name, of_stride ? "stride" : "offset");
  std::int64_t most = 1;
  for (std::int64_t at = 0; at <= last; ++at) {
    const Folded there(of_stride ? at : c.stride, of_stride ? c.offset : at, c.bytes, c.order);
    most = std::max(most, there.sectors());
    chart.stops.push_back(static_cast<double>(at));
    chart.steps.push_back(
        {static_cast<double>(at) - 0.5, static_cast<double>(at) + 0.5, static_cast<double>(there.sectors())});
    if (at % 8 == 0) chart.ticks.emplace_back(static_cast<double>(at), fmt::to_string(at));
  }
  chart.top = static_cast<double>(most) * 1.15;
  for (const std::int64_t level : {std::int64_t{0}, most / 2, most})
    if (chart.levels.empty() || level > 0) chart.levels.emplace_back(static_cast<double>(level), fmt::to_string(level));
  chart.here = {static_cast<double>(here), static_cast<double>(c.folded.sectors()),
                count_text(c.input.narration, "sector", c.folded.sectors())};
  return {"", 1, std::move(chart)};
}

// Widths or orders, each with what it costs.
Panel table_panel(const Coalescing& c, bool of_width) {
  TablePicture table;
  table.columns = {{c.word(of_width ? "width_head" : "order_head"), 3},
                   {c.word("lines_head"), 2, true},
                   {c.word("sectors_head"), 2, true},
                   {c.word("used_head"), 2, true},
                   {c.word("moved_head"), 2, true},
                   {c.word("efficiency_head"), 2, true}};
  for (std::size_t i = 0; i < (of_width ? std::size(access_widths) : lane_orders); ++i) {
    const int bytes = of_width ? access_widths[i] : c.bytes;
    const LaneOrder order = of_width ? c.order : static_cast<LaneOrder>(i);
    const Folded there(c.stride, c.offset, bytes, order);
    const auto figure = [&](double value, Unit unit, std::string_view formula) {
      return figure_cell(Figure::derived(value, unit, c.word(formula)));
    };
    table.rows.push_back(
        {{word_cell(of_width ? c.word("width", {{"n", fmt::to_string(bytes)}}) : c.word(order_keys[i])),
          figure(there.access.count, Unit::count, "lines_formula"),
          figure(static_cast<double>(there.sectors()), Unit::count, "sectors_formula"),
          figure(static_cast<double>(there.used()), Unit::count, "used_formula"),
          figure(static_cast<double>(there.moved()), Unit::count, "moved_formula"),
          figure(there.efficiency(), Unit::percent, "efficiency_formula")},
         of_width ? bytes == c.bytes : order == c.order});
  }
  return {"", 1, std::move(table)};
}

std::vector<Task> tasks_of(const Coalescing& c) {
  const std::int64_t sectors = c.folded.sectors();
  return {{"worst", sectors == 32 && c.order == LaneOrder::in_order},
          {"half", sectors == 8 && c.bytes == 4 && c.folded.used() == 128},
          {"misaligned", sectors == 5 && c.stride == 1 && c.bytes == 4},
          {"broadcast", sectors == 1 && c.folded.used() == c.bytes},
          {"vector", sectors == 16 && c.folded.efficiency() == 100},
          {"permuted", c.order != LaneOrder::in_order && c.folded.efficiency() == 100}};
}

using CoalescingBeat = BeatOf<Coalescing, CoalescingStart>;

Narration::Values coalescing_values(const Coalescing& c) {
  const auto count = [&](std::string_view thing, std::int64_t n) { return count_text(c.input.narration, thing, n); };
  return {{"sectors", count("sector", c.folded.sectors())},
          {"lines", count("line", c.folded.access.count)},
          {"stride", with_thousands(c.stride)},
          {"offset", with_thousands(c.offset)},
          {"bytes", fmt::to_string(c.bytes)},
          {"used", with_thousands(c.folded.used())},
          {"moved", with_thousands(c.folded.moved())},
          {"efficiency", c.percent()},
          {"order", c.word(order_keys[static_cast<std::size_t>(c.order)])}};
}

void coalescing_facts(const Coalescing& c, FactWriter& facts) {
  facts.counted("sectors", static_cast<std::size_t>(c.folded.sectors()));
  facts.counted("lines", static_cast<std::size_t>(c.folded.access.count));
  facts.derived("used", static_cast<double>(c.folded.used()), Unit::bytes);
  facts.derived("moved", static_cast<double>(c.folded.moved()), Unit::bytes);
  facts.derived("efficiency", c.folded.efficiency(), Unit::percent);
  counted_facts(c.input, CountedGroup::global, facts.stage());
}

std::optional<Ask> stride_question(const Coalescing& c) {
  Ask asked{
      "stride",
      fmt::format("stride {} {} {} {}", c.stride, c.offset, c.bytes, order_keys[static_cast<std::size_t>(c.order)]),
      number_options(c.input.narration, "sector", c.folded.sectors(), {1, 4, 8, 16, 32}),
      {}};
  asked.hide = [&c](Panels& panels) {  // each lane's address in place of the sectors, which could be counted
    hide_values(panels.rows[0].panels[0].picture);
    panels.rows[1].panels = {addresses_panel(c)};
  };
  return asked;
}

constexpr Frame<Coalescing, CoalescingStart> coalescing_frame = {
    .subject = [](const Here& here) { return Coalescing(here.input, here.shown<CoalescingBeat>()->more); },
    .stop = "memory",
    .values = coalescing_values,
    .facts = coalescing_facts,
    .complete = take_controls};

constexpr CoalescingBeat coalescing_beats[] = {
    {.key = "lines",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{1, {lanes_panel(c)}}, {2, {sectors_panel(c)}}};
     }},
    {.key = "stride",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{2, {chart_panel(c, true)}}, {2, {sectors_panel(c)}}};
     },
     .question = stride_question,
     .more = {.stride = 2}},
    {.key = "offset",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{2, {chart_panel(c, false)}}, {2, {sectors_panel(c)}}};
     },
     .more = {.offset = 1}},
    {.key = "width",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{2, {table_panel(c, true)}, true}, {2, {sectors_panel(c)}}};
     }},
    {.key = "order",
     .panels = [](const Coalescing& c) -> PanelRows {
       return {{2, {table_panel(c, false)}, true}, {2, {sectors_panel(c)}}};
     },
     .more = {.order = LaneOrder::shuffled}},
    {.key = "tasks", .panels = [](const Coalescing& c) -> PanelRows {
       return {{3, {tasks_panel(c.input, coalescing_name, tasks_of(c))}, true}, {2, {sectors_panel(c)}}};
     }}};

}  // namespace

const Contents& coalescing_lab() {
  static const BeatTable table(coalescing_name, coalescing_frame, coalescing_beats);
  return table;
}

}  // namespace warpwalk::story
