#include "app/verbs/debug/tiles.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/run/tiles/tile_problems.h"

namespace warpwalk::verbs {
namespace {

using Text = base::Result<std::string>;

constexpr std::size_t most_columns = 8, most_rows = 16, first_values = 4;

base::Result<debug::Tiles*> tiles_of(const debug::Session& session) {
  if (session.tiles() != nullptr) return session.tiles();
  return base::Error{
      "tiles are those of an entry of Triton's cache: warpwalk debug ENTRY --grid BLOCKS --arg NAME=..."};
}

struct Part {
  debug::Tile tile;
  debug::TilePart part;
  std::size_t first = 0, count = 0;
};

base::Result<Part> part_of(debug::Session& session, std::string_view expression) {
  const auto tiles = tiles_of(session);
  if (!tiles) return base::Error{tiles.error()};
  const auto part = debug::parse_tile_part(expression);
  if (!part) return base::Error{"write NAME, NAME[3] or NAME[3, 5]"};
  auto tile = (*tiles)->find(session, part->name);
  if (!tile) return base::Error{tile.error()};
  const auto elements = debug::elements_of_part(*tile, *part);
  if (!elements) return base::Error{fmt::format("{} is {}: no element has this index", part->name, tile->name->type)};
  return Part{std::move(*tile), *part, elements->first, elements->second};
}

std::string elements_text(const debug::Tile& tile, std::size_t first, std::size_t count, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "  ", run::element_text(*tile.name, tile.tensor(), first + i));
  return count > most ? text + "  ..." : text;
}

/// "line 34, execution 2 of 4; checked against registers: 2,048 of 2,048".
std::string where_text(const debug::Tile& tile) {
  std::string text = tile.name->line > 0 ? fmt::format("line {}", tile.name->line) : std::string("an argument");
  if (tile.executions > 1) text += fmt::format(", execution {} of {}", tile.value->execution + 1, tile.executions);
  text += "; " + (tile.tensor().known ? tile.basis() : std::string("not known: it depends on what is not evaluated"));
  if (const run::NanCount nans = run::count_nans(tile.tensor()); nans.count > 0)
    text += fmt::format("; {} NaN, the first at {}", nans.count, run::index_text(tile.name->shape, nans.first));
  return text;
}

std::string op_name(const debug::Tiles& tiles, const debug::Tile& tile) {
  if (tile.name->op < 0) return "an argument";
  return std::string(tiles.kernel().module().ops[static_cast<std::size_t>(tile.name->op)].name);
}

TileRow row_of(const debug::Tile& tile) {
  TileRow row;
  row.name = row.evaluate = tile.name->name.empty() ? tile.name->value : tile.name->name;
  row.type = tile.name->type;
  if (tile.name->shape.empty()) {
    row.value = run::element_text(*tile.name, tile.tensor(), 0);
  } else {
    row.value = elements_text(tile, 0, tile.tensor().size(), first_values);
    row.parts = static_cast<std::size_t>(tile.name->shape.front());
  }
  row.value += fmt::format("  ({})", where_text(tile));
  return row;
}

}  // namespace

bool names_tile(const debug::Session& session, std::string_view expression) {
  if (session.tiles() == nullptr) return false;
  const auto part = debug::parse_tile_part(expression);
  return part && session.tiles()->knows(part->name);
}

Text tiles_text(debug::Session& session) {
  const auto tiles = tiles_of(session);
  if (!tiles) return base::Error{tiles.error()};
  const auto all = (*tiles)->at(session);
  if (!all) return base::Error{all.error()};
  std::size_t names = 0, types = 0;
  for (const debug::Tile& tile : **all) {
    names = std::max(names, tile.name->name.size());
    types = std::max(types, tile.name->type.size());
  }
  std::string text;
  for (const debug::Tile& tile : **all)
    text += fmt::format("{:<{}}  {:<{}}  {}\n{:<{}}  {}\n", tile.name->name, names, tile.name->type, types,
                        elements_text(tile, 0, tile.tensor().size(), first_values), "", names, where_text(tile));
  if (const auto block = (*tiles)->block(session); block && !(*block)->incomplete.empty())
    text += (*block)->incomplete + "\n";
  return text.empty() ? "the thread in focus has computed no tensor yet\n" : text;
}

Text tile_text(debug::Session& session, std::string_view expression) {
  const auto part = part_of(session, expression);
  if (!part) return base::Error{part.error()};
  const debug::Tile& tile = part->tile;
  if (part->count == 1)
    return fmt::format("{} = {}  ({})\n", expression, run::element_text(*tile.name, tile.tensor(), part->first),
                       where_text(tile));
  const auto& shape = tile.name->shape;
  const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(1, shape.back()));
  std::string text = fmt::format("{}: {}  ({})\n", expression, tile.name->type, where_text(tile));
  const std::size_t rows = part->count / columns;
  for (std::size_t row = 0; row < std::min(rows, most_rows); ++row) {
    std::string index = run::index_text(shape, part->first + row * columns);
    const std::size_t comma = index.rfind(',');
    index = comma == std::string::npos ? "[:]" : index.substr(0, comma) + ", :]";
    text += fmt::format("{:<10} {}\n", index, elements_text(tile, part->first + row * columns, columns, most_columns));
  }
  if (rows > most_rows) text += fmt::format("... {} more rows\n", rows - most_rows);
  return text;
}

Text tile_writer_text(debug::Session& session, std::string_view expression) {
  const auto part = part_of(session, expression);
  if (!part) return base::Error{part.error()};
  if (part->count != 1) return base::Error{"write one element: NAME[3, 5]"};
  const debug::Tile& tile = part->tile;
  debug::Tiles& tiles = *session.tiles();
  const std::string& file = tile.name->file;
  std::string text = fmt::format("{} = {}\n", expression, run::element_text(*tile.name, tile.tensor(), part->first));
  text += fmt::format("by {} ({}) at {}:{}, execution {} of {} in this block; {}\n", op_name(tiles, tile),
                      tile.name->value, file.substr(file.find_last_of('/') + 1), tile.name->line,
                      tile.value->execution + 1, tile.executions, tile.basis());
  const auto writer = [&](const std::string& what) {
    debug::WriterRequest request;
    request.expression = what;
    const auto answer = session.who_wrote(request);
    if (!answer) return fmt::format("{}: {}\n", what, answer.error());
    if (!answer->written())
      return fmt::format(
          "{}: {}\n", what,
          answer->was_input ? "not written before: it was in memory before the launch" : "never written before");
    const debug::WriterPlace& found = answer->steps[answer->found];
    return fmt::format("{}: written by {} {}  {}, cycle {}\n", what, session.place_text(found.instruction),
                       session.code().text_of(found.instruction), session.thread_text(found.thread),
                       found.at ? fmt::format("{}", found.at->cycle) : "not simulated");
  };
  const debug::Focus& focus = session.focus();
  if (const auto in_register = tiles.written_register(tile, part->first)) {
    const auto& by = *in_register->row;
    const auto at = session.recording().nth_issue(focus.block, in_register->warp, by.instruction, by.occurrence);
    text += fmt::format("in {} of {}, written by {} {}, cycle {}\n", by.name,
                        session.thread_text({focus.block, in_register->warp, in_register->lane}),
                        session.place_text(by.instruction), session.code().text_of(by.instruction),
                        at ? fmt::format("{}", at->cycle) : "not simulated");
  }
  const auto block = tiles.block(session);
  if (!block) return base::Error{block.error()};
  const debug::Recording& recording = session.recording();
  for (const run::TileAccess& access : (*block)->accesses) {
    if (access.access.op != tile.name->op || access.execution != tile.value->execution) continue;
    const auto& mask = access.access.mask;
    if (mask != nullptr && mask->numbers[mask->numbers.size() == 1 ? 0 : part->first] == 0) {
      text += "its mask excludes the element, so it was not read\n";
      break;
    }
    const auto address = static_cast<std::uint64_t>(access.access.addresses->numbers[part->first]);
    const int bytes = std::max(1, compiled::mlir_bits(access.access.element) / 8);
    text += fmt::format("read from {}\n", run::address_text(recording.program(), recording.before(), address, bytes));
    text += writer(fmt::format("*(u{}*){:#x}", 8 * bytes, address));
    break;
  }
  return text;
}

Text first_nan_text(debug::Session& session) {
  const auto tiles = tiles_of(session);
  if (!tiles) return base::Error{tiles.error()};
  const auto block = (*tiles)->block(session);
  if (!block) return base::Error{block.error()};
  const auto nan = run::first_nan(**block);
  if (!nan) return fmt::format("block {} computes no NaN\n", session.focus().block);
  const debug::Recording& recording = session.recording();
  return run::first_nan_text((*tiles)->kernel(), **block, *nan, recording.program(), recording.before()) + "\n";
}

Text outside_text(debug::Session& session) {
  const auto tiles = tiles_of(session);
  if (!tiles) return base::Error{tiles.error()};
  const auto block = (*tiles)->block(session);
  if (!block) return base::Error{block.error()};
  const debug::Recording& recording = session.recording();
  std::string text;
  for (const run::OutsideAccess& outside : run::outside_accesses(**block, recording.program(), recording.before()))
    text += run::outside_text((*tiles)->kernel(), outside, recording.program(), recording.before()) + "\n";
  return text.empty() ? fmt::format("block {} accesses nothing outside of the buffers\n", session.focus().block) : text;
}

Text stores_text(debug::Session& session) {
  const auto tiles = tiles_of(session);
  if (!tiles) return base::Error{tiles.error()};
  const auto stored = (*tiles)->compare_stores(session);
  if (!stored) return base::Error{stored.error()};
  std::string text =
      fmt::format("stores of the TTIR in {} blocks: {} of {} elements equal the run's, {} of them to the bit\n",
                  stored->blocks, stored->equal, stored->elements, stored->same_bits);
  if (!stored->first_difference.empty()) text += "first difference: " + stored->first_difference + "\n";
  if (!stored->incomplete.empty()) text += stored->incomplete + "\n";
  return text;
}

std::vector<TileRow> tile_rows(debug::Session& session) {
  std::vector<TileRow> rows;
  if (session.tiles() == nullptr) return rows;
  const auto all = session.tiles()->at(session);
  if (!all) return {{"tiles", all.error(), {}, {}}};
  for (const debug::Tile& tile : **all) rows.push_back(row_of(tile));
  return rows;
}

base::Result<TileRow> tile_row(debug::Session& session, std::string_view expression) {
  const auto part = part_of(session, expression);
  if (!part) return base::Error{part.error()};
  if (part->part.indices.empty()) return row_of(part->tile);
  TileRow row;
  row.name = row.evaluate = expression;
  row.type = part->tile.name->element;
  row.value = elements_text(part->tile, part->first, part->count, most_columns);
  const auto& shape = part->tile.name->shape;
  if (const std::size_t dims = part->part.indices.size(); dims < shape.size())
    row.parts = static_cast<std::size_t>(shape[dims]);
  return row;
}

std::vector<TileRow> parts_of_tile(debug::Session& session, std::string_view expression, std::size_t first,
                                   std::size_t count) {
  const auto whole = tile_row(session, expression);
  if (!whole) return {{std::string(expression), whole.error(), {}, {}}};
  std::vector<TileRow> rows;
  for (std::size_t i = first; i < std::min(whole->parts, first + count); ++i) {
    std::string text(expression);
    if (text.ends_with(']'))
      text.replace(text.size() - 1, 1, fmt::format(", {}]", i));
    else
      text += fmt::format("[{}]", i);
    auto row = tile_row(session, text);
    if (!row) break;
    row->name = fmt::format("[{}]", i);
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace warpwalk::verbs
