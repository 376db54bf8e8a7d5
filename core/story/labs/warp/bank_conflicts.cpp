// Lab: the banks of shared memory under a tile that is read by rows, by columns or along diagonals.
#include "core/gpu/exec/bank_conflicts.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/story/facts/simulated/kernel_counters.h"
#include "core/story/facts/words/ask.h"
#include "core/story/labs/lab_parts.h"
#include "core/story/labs/warp/access_code.h"
#include "core/story/labs/warp/lane_pattern.h"
#include "core/story/pictures/hide.h"

namespace warpwalk::story {
namespace {

constexpr std::string_view bank_conflicts_name = "lab/bank-conflicts";
constexpr std::string_view bank_conflicts_words = "lab/bank-conflicts.word";
constexpr std::string_view walk_keys[tile_walks] = {"row", "column", "diagonal", "pairs", "element"};
constexpr std::size_t table_walks = 3;
constexpr int bank_widths[] = {4, 8, 16};
constexpr std::int64_t max_padding = 32;
constexpr std::size_t banks = 32;

gpu::Wavefronts wavefronts(const TileLayout& layout, TileWalk walk, std::int64_t which) {
  const LanePattern pattern = tile_pattern(layout, walk, which);
  return gpu::wavefronts_of(pattern.at.data(), 0xffffffff, pattern.bytes, false);
}

// The settings that a beat starts with.
struct BanksStart {
  TileWalk walk = TileWalk::column;
  std::int64_t padding = 0;
  bool swizzled = false;
};

struct Banks {
  const SceneInput& input;
  ControlSet controls{input, bank_conflicts_name};
  TileLayout layout;
  TileWalk walk = TileWalk::row;
  std::int64_t element = 0;  ///< that was pointed at: row * 32 + column
  gpu::Wavefronts waves;

  Banks(const SceneInput& in, const BanksStart& start) : input(in) {
    std::vector<std::string> walk_words, width_words;
    for (const std::string_view key : walk_keys) walk_words.push_back(word(key));
    for (const int bytes : bank_widths) width_words.push_back(fmt::format("{} B", bytes));
    walk = static_cast<TileWalk>(
        controls.choice("walk", std::move(walk_words), static_cast<std::size_t>(start.walk), "example"));
    layout.bytes = bank_widths[controls.choice("width", std::move(width_words), 0, "example")];
    layout.padding = controls.slider("padding", steps_by(0, max_padding, 1), start.padding, "example");
    layout.swizzled = controls.choice("swizzle", {word("off"), word("on")}, start.swizzled ? 1 : 0, "example") == 1;
    element = controls.pointed("element", tile_side * tile_side - 1, 3 * tile_side + 3);
    waves = wavefronts(layout, walk, which());
  }

  std::int64_t row() const { return element / tile_side; }
  std::int64_t column() const { return element % tile_side; }
  /// The row, column or diagonal of the element that was pointed at, or the element itself.
  std::int64_t which() const {
    switch (walk) {
      case TileWalk::row:
      case TileWalk::pairs: return row();
      case TileWalk::column: return column();
      case TileWalk::diagonal: return (column() - row() + tile_side) % tile_side;
      case TileWalk::element: return element;
    }
    return 0;
  }
  std::size_t bank_of(std::int64_t row, std::int64_t column) const {
    return tile_offset(layout, row, column) / 4 % banks;
  }
  /// Bytes that the padding takes.
  std::int64_t spare() const { return tile_side * layout.padding * layout.bytes; }
  std::string word(std::string_view key, const Narration::Values& values = {}) const {
    return input.narration.text(bank_conflicts_words, key, values);
  }
};

// The tile: the elements of this access are coloured, each cell names its bank.
Panel tile_panel(const Banks& b, double share) {
  std::set<std::int64_t> accessed;
  for (std::int64_t lane = 0; lane < 32; ++lane) {
    const auto [row, column] = tile_element(b.walk, b.which(), lane);
    accessed.insert(row * tile_side + column);
  }
  const std::size_t own = b.bank_of(b.element / tile_side, b.element % tile_side);
  CellGrid cells;
  cells.columns = static_cast<std::size_t>(tile_side);
  cells.control = fmt::format("{}.element", bank_conflicts_name);
  cells.followed = static_cast<std::size_t>(b.element);
  for (std::int64_t i = 0; i < tile_side * tile_side; ++i) {
    const std::int64_t row = i / tile_side, column = i % tile_side;
    const std::size_t bank = b.bank_of(row, column);
    const Tone tone = accessed.contains(i) ? Tone::memory : bank == own ? Tone::shared : Tone::quiet;
    cells.cells.push_back(
        {tone, fmt::to_string(bank),
         b.word("element_tip",
                {{"row", fmt::to_string(row)}, {"column", fmt::to_string(column)}, {"bank", fmt::to_string(bank)}})});
  }
  cells.legend =
      legend(cells, b.input, bank_conflicts_words, {{Tone::memory, "accessed"}, {Tone::shared, "same_bank"}});
  return {"", share, std::move(cells)};
}

// The code of the access, with the way from the chosen element to its bank.
Panel tile_code_panel(const Banks& b) {
  const std::uint64_t at = tile_offset(b.layout, b.row(), b.column());
  return lab_code_panel(b.word("code"), tile_code(b.layout, b.walk, b.which()),
                        {b.word("address_value", {{"address", address_text(b.layout, b.row(), b.column())}}),
                         b.word("bank_value", {{"bank", fmt::format("{} / 4 % {} = {}", at, banks, at / 4 % banks)}})},
                        1);
}

// The lanes, with an arrow to the bank of each, and the distinct words that this access takes from every bank.
Panel banks_panel(const Banks& b) {
  const LanePattern pattern = tile_pattern(b.layout, b.walk, b.which());
  const std::uint64_t words = static_cast<std::uint64_t>(pattern.bytes) / 4;
  std::array<std::set<std::uint64_t>, banks> taken;
  for (const std::uint64_t at : pattern.at)
    for (std::uint64_t word = at / 4; word < at / 4 + words; ++word) taken[word % banks].insert(word);
  LinkPicture picture;
  picture.from_name = b.word("lane_row");
  picture.to_name = b.word("bank_row");
  picture.group_name = b.word("word_row");
  for (std::size_t bank = 0; bank < banks; ++bank) {
    const std::size_t count = taken[bank].size();
    picture.to.push_back({count == 0       ? Tone::quiet
                          : count <= words ? Tone::work
                                           : Tone::refused,
                          fmt::to_string(bank), "",
                          b.word("bank_tip", {{"bank", fmt::to_string(bank)}, {"words", fmt::to_string(count)}})});
    picture.groups.push_back(count == 0 ? "" : fmt::to_string(count));
  }
  for (std::size_t lane = 0; lane < pattern.at.size(); ++lane) {
    const std::size_t bank = pattern.at[lane] / 4 % banks;
    const auto [row, column] = tile_element(b.walk, b.which(), static_cast<std::int64_t>(lane));
    picture.from.push_back({Tone::memory, fmt::to_string(lane), "",
                            b.word("lane_tip", {{"lane", fmt::to_string(lane)},
                                                {"row", fmt::to_string(row)},
                                                {"column", fmt::to_string(column)},
                                                {"address", fmt::to_string(pattern.at[lane])},
                                                {"bank", fmt::to_string(bank)}})});
    picture.links.push_back(
        {lane, bank, static_cast<double>(words) / 2, taken[bank].size() > words ? Tone::refused : Tone::memory});
    if (!picture.followed && row == b.row() && column == b.column()) picture.followed = lane;
  }
  const auto has = [&](Tone tone) { return std::ranges::find(picture.to, tone, &LinkCell::tone) != picture.to.end(); };
  for (const auto& [tone, key] : {std::pair{Tone::work, "fair"}, {Tone::refused, "crowded"}, {Tone::quiet, "unused"}})
    if (has(tone)) picture.legend.emplace_back(tone, b.word(key));
  return {"", 1, std::move(picture)};
}

// Wavefronts against the padding.
Panel chart_panel(const Banks& b) {
  ChartPicture chart;
  chart.label = b.word("padding_axis");
  chart.tip = b.word("chart_tip");
  chart.from = -0.5;
  chart.to = static_cast<double>(max_padding) + 0.5;
  chart.control = fmt::format("{}.padding", bank_conflicts_name);
  std::int64_t most = 1;
  for (std::int64_t padding = 0; padding <= max_padding; ++padding) {
    TileLayout layout = b.layout;
    layout.padding = padding;
    const std::int64_t passes = wavefronts(layout, b.walk, b.which()).passes;
    most = std::max(most, passes);
    chart.stops.push_back(static_cast<double>(padding));
    chart.steps.push_back(
        {static_cast<double>(padding) - 0.5, static_cast<double>(padding) + 0.5, static_cast<double>(passes)});
    if (padding % 8 == 0) chart.ticks.emplace_back(static_cast<double>(padding), fmt::to_string(padding));
  }
  chart.top = static_cast<double>(most) * 1.15;
  for (const std::int64_t level : {std::int64_t{0}, most / 2, most})
    if (chart.levels.empty() || level > 0) chart.levels.emplace_back(static_cast<double>(level), fmt::to_string(level));
  chart.here = {static_cast<double>(b.layout.padding), static_cast<double>(b.waves.passes),
                count_text(b.input.narration, "wavefront", b.waves.passes)};
  return {"", 1.2, std::move(chart)};
}

// Each way to walk over each layout.
Panel table_panel(const Banks& b) {
  struct Kind {
    std::string_view key;
    std::int64_t padding;
    bool swizzled;
  };
  constexpr Kind kinds[] = {{"plain", 0, false}, {"padded", 1, false}, {"swizzled", 0, true}};
  TablePicture table;
  table.columns = {{b.word("layout_head"), 3}};
  for (std::size_t walk = 0; walk < table_walks; ++walk)
    table.columns.push_back({b.word(fmt::format("{}_head", walk_keys[walk])), 2, true});
  table.columns.push_back({b.word("bytes_head"), 2, true});
  for (const Kind& kind : kinds) {
    const TileLayout layout = {b.layout.bytes, kind.padding, kind.swizzled};
    TableRow row;
    row.cells.push_back(word_cell(b.word(kind.key)));
    for (std::size_t walk = 0; walk < table_walks; ++walk) {
      const gpu::Wavefronts waves = wavefronts(layout, static_cast<TileWalk>(walk), 0);
      row.cells.push_back(figure_cell(Figure::derived(waves.passes, Unit::count, b.word("passes_formula"))));
      row.cells.back().tone = waves.conflicts == 0 ? Tone::work : Tone::refused;
    }
    row.cells.push_back(figure_cell(Figure::derived(
        shared_bytes_text(tile_side * (tile_side + layout.padding) * layout.bytes), b.word("bytes_formula"))));
    row.followed = layout.padding == b.layout.padding && layout.swizzled == b.layout.swizzled;
    table.rows.push_back(std::move(row));
  }
  return {"", 1.25, std::move(table)};
}

std::vector<Task> tasks_of(const Banks& b) {
  const bool column = b.walk == TileWalk::column, free = b.waves.conflicts == 0;
  return {{"worst", b.waves.passes == 32},
          {"padding", column && free && b.layout.padding > 0 && !b.layout.swizzled},
          {"useless", column && !free && b.layout.padding > 0 && !b.layout.swizzled},
          {"swizzle", column && free && b.layout.padding == 0},
          {"two_way", b.layout.bytes == 4 && b.waves.passes == 2},
          {"wide", b.layout.bytes == 16 && free},
          {"broadcast", b.walk == TileWalk::pairs && free}};
}

using BanksBeat = BeatOf<Banks, BanksStart>;

Narration::Values banks_values(const Banks& b) {
  return {{"passes", count_text(b.input.narration, "wavefront", b.waves.passes)},
          {"conflicts", with_thousands(b.waves.conflicts)},
          {"walk", b.word(walk_keys[static_cast<std::size_t>(b.walk)])},
          {"padding", with_thousands(b.layout.padding)},
          {"bytes", fmt::to_string(b.layout.bytes)},
          {"spare", shared_bytes_text(b.spare())}};
}

void banks_facts(const Banks& b, FactWriter& facts) {
  facts.counted("passes", static_cast<std::size_t>(b.waves.passes));
  facts.counted("conflicts", static_cast<std::size_t>(b.waves.conflicts));
  facts.derived("spare", shared_bytes_text(b.spare()));
  facts.counted("bank", b.bank_of(b.element / tile_side, b.element % tile_side));
  counted_facts(b.input, CountedGroup::shared, facts.stage());
}

PanelRows walk_panels(const Banks& b) {
  return {{1.2, {tile_code_panel(b), tile_panel(b, 0.7)}}, {1, {banks_panel(b)}}};
}

std::optional<Ask> column_question(const Banks& b) {
  Ask asked{"column",
            fmt::format("{} {} {} {}", b.layout.bytes, b.layout.padding, b.layout.swizzled, static_cast<int>(b.walk)),
            number_options(b.input.narration, "wavefront", b.waves.passes, {1, 2, 8, 16, 32}),
            {}};
  asked.hide = [](Panels& panels) {  // the code stays, and the tile with the elements that are read, without banks
    if (auto* const code = picture_at<CodePicture>(panels, 0, 0))
      for (CodeLine& line : code->columns[0].window.lines) line.values.clear();
    if (auto* const tile = picture_at<CellGrid>(panels, 0, 1))
      for (Cell& cell : tile->cells) {
        cell.label.clear();
        cell.tip.clear();
        if (cell.tone == Tone::shared) cell.tone = Tone::quiet;
      }
    panels.rows.resize(1);
  };
  return asked;
}

constexpr Frame<Banks, BanksStart> banks_frame = {
    .subject = [](const Here& here) { return Banks(here.input, here.shown<BanksBeat>()->more); },
    .stop = "registers",
    .values = banks_values,
    .facts = banks_facts,
    .complete = take_controls};

constexpr BanksBeat banks_beats[] = {
    {.key = "row", .panels = walk_panels, .more = {.walk = TileWalk::row}},
    {.key = "column", .panels = walk_panels, .question = column_question},
    {.key = "broadcast", .panels = walk_panels, .more = {.walk = TileWalk::element}},
    {.key = "padding",
     .panels = [](const Banks& b) -> PanelRows {
       return {{1.2, {tile_code_panel(b), tile_panel(b, 0.5), chart_panel(b)}}, {1, {banks_panel(b)}}};
     },
     .more = {.padding = 1}},
    {.key = "swizzle",
     .panels = [](const Banks& b) -> PanelRows {
       return {{1, {tile_code_panel(b), table_panel(b)}, true}, {1.2, {tile_panel(b, 0.25), banks_panel(b)}}};
     },
     .more = {.swizzled = true}},
    {.key = "tasks", .panels = [](const Banks& b) -> PanelRows {
       return {{1, {tasks_panel(b.input, bank_conflicts_name, tasks_of(b))}, true}, {1, {banks_panel(b)}, false, true}};
     }}};

}  // namespace

const Contents& bank_conflicts_lab() {
  static const BeatTable table(bank_conflicts_name, banks_frame, banks_beats);
  return table;
}

}  // namespace warpwalk::story
