// Chapter 3 of the tour: the grid is cut into blocks, and the SMs take them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/story/elements/moment.h"
#include "core/story/facts/words/rows.h"
#include "core/story/scenes/tour/placing.h"
#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {
namespace {

Tone block_tone(const Tour& s, std::uint64_t block) { return block == s.block ? Tone::followed : Tone::work; }

// --- Step 9: the grid is the result cut into tiles.

// What the camera sees of the memory: the sheet of c on the left, and the words about it.
constexpr PlaneBox tiles_view = {48, 1080, 872, 388};
constexpr PlaneBox toy_view = {416, 1092, 476, 212};
constexpr std::int64_t toy_size = 4, toy_tile = 2;

constexpr double toy_x = 430, toy_y = 1106, cell_wide = 40, cell_high = 28, name_high = 22;
constexpr double tile_wide = toy_tile * cell_wide, tile_high = name_high + toy_tile * cell_high;

// The place of the small result whose tiles are apart by `gap`.
PlaneBox toy_box(double gap) {
  constexpr std::int64_t tiles = toy_size / toy_tile;
  return {toy_x, toy_y, tiles * tile_wide + (tiles - 1) * gap, tiles * tile_high + (tiles - 1) * gap};
}

// A result of 4 × 4 elements. Its tiles move apart by `gap`.
void draw_toy(Plane& plane, const Tour& s, double gap, double named) {
  for (std::int64_t tile = 0; tile < toy_tile * toy_tile; ++tile) {
    const std::int64_t down = tile / toy_tile, across = tile % toy_tile;
    const PlaneBox at = {toy_x + (tile_wide + gap) * static_cast<double>(across),
                         toy_y + (tile_high + gap) * static_cast<double>(down), tile_wide, tile_high};
    plane.frame(fmt::format("toy tile {}", tile), at.grown(2), Tone::work).shown = named;
    plane
        .text(fmt::format("toy name {}", tile), {at.x, at.y, at.width, name_high},
              s.word("toy_block", {{"n", fmt::to_string(tile)}}), Plane::Type::label, Plane::Align::centre, Tone::work)
        .shown = named;
    for (std::int64_t i = 0; i < toy_tile * toy_tile; ++i) {
      const std::int64_t row = down * toy_tile + i / toy_tile, column = across * toy_tile + i % toy_tile;
      plane.box(fmt::format("toy {} {}", row, column),
                PlaneBox{at.x + cell_wide * static_cast<double>(i % toy_tile),
                         at.y + name_high + cell_high * static_cast<double>(i / toy_tile), cell_wide, cell_high}
                    .grown(-1),
                Tone::memory, fmt::format("{}, {}", row, column));
    }
  }
  PlaneItem& size = plane.text("toy size", {626, 1108, 250, 26}, s.word("toy"), Plane::Type::heading);
  size.at_top = true;
  PlaneItem& rule = plane.text("toy rule", {626, 1136, 250, 100}, s.word("toy_rule"), Plane::Type::body);
  rule.at_top = true;
  rule.shown = named;
}

// The element of the question: in the second row of tiles and in the third column of tiles.
struct AskedElement {
  std::int64_t row = 0, column = 0, block_row = 1, block_column = 2, block = 0;
};

std::optional<AskedElement> asked_element(const Tour& s) {
  const MatrixProduct& p = s.product;
  AskedElement asked;
  if (p.down <= asked.block_row || p.across <= asked.block_column) return {};
  asked.row = p.tile_rows + p.tile_rows / 4;
  asked.column = 2 * p.tile_columns + p.tile_columns / 2;
  if (asked.row >= p.m || asked.column >= p.n) return {};
  asked.block = asked.block_row * p.across + asked.block_column;
  return asked;
}

Narration::Values asked_values(const Tour& s, const AskedElement& asked) {
  return {{"asked_row", with_thousands(asked.row)},
          {"asked_column", with_thousands(asked.column)},
          {"asked_block_row", with_thousands(asked.block_row)},
          {"asked_block_column", with_thousands(asked.block_column)},
          {"asked_block", with_thousands(asked.block)},
          {"tile_rows", with_thousands(s.product.tile_rows)},
          {"tile_columns", with_thousands(s.product.tile_columns)}};
}

// "20 × 16 + 8": how a side is cut, if its last tile is smaller; else empty.
std::string uneven(std::int64_t size, std::int64_t tile) {
  if (tile <= 0 || size % tile == 0) return {};
  return fmt::format("{} × {} + {}", size / tile, tile, size % tile);
}

// Why the last tiles are smaller; empty if all are equal.
std::string last_tiles(const Tour& s) {
  const std::string columns = uneven(s.product.n, s.product.tile_columns),
                    rows = uneven(s.product.m, s.product.tile_rows);
  if (columns.empty() && rows.empty()) return {};
  return s.word(rows.empty()      ? "last_columns"
                : columns.empty() ? "last_rows"
                                  : "last_both",
                {{"columns_cut", columns}, {"rows_cut", rows}});
}

// Every block as a box on its tile.
template <class Place>
void draw_blocks(Plane& plane, const Tour& s, const Place& at) {
  for (std::uint64_t block = 0; block < std::min(s.plan.blocks, Placing::most_drawn); ++block)
    plane.box(fmt::format("block {}", block), at(block), block_tone(s, block));
}

PlanePicture toy_picture(const Tour& s, double gap, double named) {
  Plane plane(toy_view);
  // The kernel becomes the grid that cuts the result.
  plane.frame("kernel", toy_box(gap).grown(8), Tone::work);
  draw_toy(plane, s, gap, named);
  return plane.take();
}

PlanePicture tiles_picture(const Tour& s) {
  Plane plane(tiles_view);
  const world::Sheets sheets = world::sheets(s.product);
  plane.frame("memory", world::memory, Tone::memory);
  plane.frame("sheet c", sheets.c, Tone::memory);
  plane.frame("kernel", sheets.c.grown(5), Tone::work);
  draw_blocks(plane, s, [&](std::uint64_t block) {
    const PlaneBox tile = world::tile(s.product, block);
    return tile.grown(-0.08 * std::min(tile.width, tile.height));
  });
  const PlaneBox first = world::tile(s.product, s.block);
  plane.text("sheet c name", {sheets.c.x - 40, sheets.c.bottom() + 6, sheets.c.width + 80, 22}, s.word("sheet_c"),
             Plane::Type::label, Plane::Align::centre);
  draw_toy(plane, s, 10, 1);
  constexpr double x = 430, wide = 472;
  PlaneItem& count = plane.text("tile count", {x, 1306, wide, 30}, s.word("tiles"), Plane::Type::figure);
  count.tip = s.word("tiles_tip");
  count.origin = s.recorded();
  plane.text("tile size", {x, 1338, wide, 32}, s.word("tile"), Plane::Type::body);
  const std::string last = last_tiles(s);
  plane.text("last tiles", {x, 1371, wide, 37}, last, Plane::Type::body).shown = last.empty() ? 0 : 1;
  plane.box("cell", world::on_c(s.product, s.number.at.row, s.number.at.column, 1, 1), Tone::followed);
  // The block of the followed number: its name stands over the sheet, with a line to its tile.
  const double name_y = sheets.c.y - 30;
  plane.text("block name", {sheets.c.x, name_y, 230, 22}, s.word("block_of_number"), Plane::Type::body,
             Plane::Align::left, Tone::followed);
  const double middle = first.x + first.width / 2;
  plane.line("block mark", middle, name_y + 20, middle, first.y, Tone::followed);
  if (const auto asked = asked_element(s); asked && !open_question(s, blocks_question(s))) {
    const PlaneBox tile = world::tile(s.product, static_cast<std::uint64_t>(asked->block));
    plane.text("asked block", {x, 1410, wide, 44}, s.word("asked_block", asked_values(s, *asked)), Plane::Type::body);
    plane.frame("asked tile", tile.grown(1), Tone::plain);
    plane.arrow("asked mark", x - 6, 1426, tile.right(), tile.y + tile.height / 2, Tone::plain);
  }
  return plane.take();
}

}  // namespace

bool open_question(const Tour& s, const std::optional<Ask>& asked) {
  if (!asked || !s.input.predictions.asking) return false;
  const Prediction* const said = s.input.predictions.find(fmt::format("tour.{}", asked->key),
                                                          fmt::format("kernel {} {}", s.walk().kernel, asked->about));
  return said == nullptr ||
         (!said->skipped && std::ranges::find(said->given, asked->options.right) == said->given.end());
}

PlanePicture blocks_plane(const Tour& s, double phase) {
  constexpr double cut = 0.3, drawn_back = 0.5;
  if (phase < drawn_back) return toy_picture(s, 10 * eased(part(phase, 0.05, cut)), part(phase, 0.15, cut));
  return between(toy_picture(s, 10, 1), tiles_picture(s), part(phase, drawn_back, 1));
}

std::optional<Ask> blocks_question(const Tour& s) {
  const auto asked = asked_element(s);
  if (!asked || s.product.across == s.product.down) return {};
  const MatrixProduct& p = s.product;
  // The right one, rows and columns exchanged, counted by columns, and the sum in place of the number.
  std::vector<std::pair<std::int64_t, std::string>> blocks = {
      {asked->block, "right"},
      {asked->block_column * p.across + asked->block_row, "exchanged"},
      {asked->block_column * p.down + asked->block_row, "down"},
      {asked->block_row + asked->block_column, "sum"}};
  std::ranges::sort(blocks);
  Options options;
  for (const auto& [block, key] : blocks) {
    if (!options.words.empty() && options.words.back() == s.word("toy_block", {{"n", with_thousands(block)}}))
      return {};
    if (key == "right") options.right = options.words.size();
    options.words.push_back(s.word("toy_block", {{"n", with_thousands(block)}}));
    options.keys.push_back(key);
  }
  return Ask{.key = "blocks",
             .about = "blocks",
             .options = std::move(options),
             .facts = {},
             .values = asked_values(s, *asked)};
}

// --- Step 10: blocks go to SMs while there is room.

PlanePicture placed_plane(const Tour& s, double phase) {
  Plane plane(world::gpu);
  draw_gpu(plane, s);
  draw_sheets(plane, s, "");
  draw_sms(plane, s, false);
  const PlaneBox own = world::sm(s.sm, s.sms());
  plane.text("sm name", PlaneBox{own.x - 20, own.y - 6, own.width + 40, 43}, s.word("sm_name"), Plane::Type::label,
             Plane::Align::centre, Tone::followed);
  plane.text("sms name", {560, world::gpu.y + 2, 640, 46}, s.word("sms_room"), Plane::Type::body).origin =
      Origin::derived;
  const Placing placing = placing_of(s);
  // The row of those that wait.
  constexpr std::size_t most_waiting = 60;
  constexpr double row_left = 1330, row_wide = 1000, widest = 36;
  const std::size_t row = std::min(placing.waiting.size(), most_waiting);
  const double each = row == 0 ? 0 : std::min(widest, row_wide / static_cast<double>(row));
  std::vector<std::size_t> place_in_row(placing.first.size(), most_waiting);
  for (std::size_t i = 0; i < row; ++i) place_in_row[placing.waiting[i]] = i;
  // First all come that fit; then the time runs until half of those that wait have got a place.
  const bool open = open_question(s, placed_question(s));
  const double filled = part(phase, 0, 0.55), run = placing.times.blocks.empty() || open ? 0 : part(phase, 0.62, 1);
  const std::int64_t from = placing.first_called(), until = placing.half_called();
  const double stretch = static_cast<double>(std::max<std::int64_t>(until - from, 1));
  const double now = static_cast<double>(from) + (1.3 * run - 0.02) * stretch;
  const auto way_since = [&](std::int64_t time) {
    if (run == 0 || time > until) return 0.0;
    return eased(std::clamp((now - static_cast<double>(time)) / (0.25 * stretch), 0.0, 1.0));
  };
  std::size_t waits = placing.waiting.size();
  for (std::uint64_t block = 0; block < placing.first.size(); ++block) {
    const BlockTime* const time = placing.time_of(block);
    const double start = 0.5 * static_cast<double>(block) / static_cast<double>(s.plan.blocks);
    const double flight = eased(part(filled, start, start + 0.5));
    const PlaneBox home = world::tile(s.product, block).grown(-0.5);
    const PlaneBox slot = placing.slot_of(s, block).value_or(home);
    PlaneBox at = home;
    Tone tone = block_tone(s, block);
    if (placing.waits(block)) {
      if (const std::size_t place = place_in_row[block]; place < row)
        at = world::on_way(home, {row_left + each * static_cast<double>(place), world::gpu.y + 10, each - 4, 32},
                           flight);
      const auto called = placing.called(block);
      const double way = called ? way_since(*called) : 0;
      if (way > 0) {
        at = world::on_way(at, slot, way);
        --waits;
      } else if (flight > 0.5) {
        tone = Tone::refused;
      }
    } else {
      at = world::on_way(home, slot, flight);
      // A block that has ended leaves its numbers on the sheet.
      if (const double way = time != nullptr && time->ended ? way_since(time->end) : 0; way > 0) {
        at = world::on_way(slot, home, way);
        tone = Tone::memory;
      }
    }
    plane.box(fmt::format("block {}", block), at, tone);
  }
  if (row > 0) {
    PlaneItem& waiting = plane.text("waiting", {1160, world::gpu.y + 2, 160, 46},
                                    s.word("wait", {{"n", with_thousands(static_cast<std::int64_t>(waits))}}),
                                    Plane::Type::body, Plane::Align::right);
    waiting.shown = part(filled, 0.7, 1);
    waiting.origin = placing.times.blocks.empty() ? Origin::derived : Origin::simulated;
  }
  return plane.take();
}

std::string placed_section(const Tour& s) { return s.plan.blocks <= s.plan.slots() ? "placed.fits" : "placed"; }

std::optional<Ask> placed_question(const Tour& s) {
  if (s.plan.blocks <= s.plan.slots()) return {};
  Options options;
  for (const std::string_view key : {"order", "slot", "all", "memory"}) {
    if (key == "slot") options.right = options.words.size();
    options.words.push_back(s.word(fmt::format("for_{}", key)));
    options.keys.emplace_back(key);
  }
  return Ask{.key = "placed", .about = "placed", .options = std::move(options), .facts = {}};
}

}  // namespace warpwalk::story
