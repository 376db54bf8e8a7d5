// Chapter 2 of the tour, second part: the memory of the result.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/analysis/memory/memory_map.h"
#include "core/story/elements/moment.h"
#include "core/story/facts/memory/op_memory.h"
#include "core/story/scenes/tour/cpu.h"

namespace warpwalk::story {
namespace {

struct ResultMemory {
  const OpMemory memory;
  std::optional<analysis::Tensor> result;
  std::int64_t row_bytes = 0, element = 4, offset = 0;  // offset: of the followed number

  explicit ResultMemory(const Tour& s) : memory(op_memory_of(s.trace(), s.walk())) {
    result = placed_result(s.trace(), memory);
    element = std::max<std::int64_t>(s.number.result.element, 1);
    row_bytes = s.product.n * element;
    offset = s.number.at.row * row_bytes + s.number.at.column * element;
  }
  std::optional<std::uint64_t> base() const { return result ? result->address : std::nullopt; }
  bool from_cache() const { return memory.block && memory.block->driver == OwnBlock::Driver::no; }
};

// Memory that the driver gave earlier and that has the block.
struct SegmentRange {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  bool holds(const OwnBlock& block) const {
    return address <= block.address &&
           block.address + static_cast<std::uint64_t>(block.bytes) <= address + static_cast<std::uint64_t>(bytes);
  }
};

std::optional<SegmentRange> segment_of(const Trace& trace, const OpMemory& memory) {
  if (!memory.block) return {};
  const OwnBlock& block = *memory.block;
  std::optional<SegmentRange> found;
  for (const trace::DriverMemory& one : trace.driver_memory) {
    const SegmentRange segment = {static_cast<std::uint64_t>(one.address), one.bytes};
    if (one.bytes > 0 && one.time < block.born && segment.holds(block)) found = segment;
  }
  if (found) return found;
  const analysis::MemoryMap map = analysis::memory_map(trace, memory.space, block.born);
  for (const analysis::MemoryStrip& strip : map.strips)
    if (const SegmentRange segment = {strip.address, strip.bytes}; strip.segment && segment.holds(block))
      return segment;
  return {};
}

// Rows of c, end to end in memory, and the beginning of the followed one.
void draw_rows(Plane& plane, const Tour& s, const ResultMemory& m, const PlaneBox& at, double laid) {
  const std::int64_t row = s.number.at.row, first = std::max<std::int64_t>(row - 1, 0);
  const double wide = at.width / 3;
  const world::Sheets sheets = world::sheets(s.product);
  for (std::int64_t i = 0; i < 3 && first + i < s.product.m; ++i) {
    const PlaneBox from = {sheets.c.x, sheets.c.y + 4 * static_cast<double>(i), sheets.c.width, 3};
    const PlaneBox to = {at.x + wide * static_cast<double>(i), at.y, wide - 2, 34};
    plane.box(fmt::format("row {} of c", first + i), world::on_way(from, to, laid), Tone::memory,
              laid < 0.9 ? std::string() : s.word("row_of_c", {{"n", with_thousands(first + i)}}));
  }
  // The first elements of the followed row, each with its bytes.
  const double zoom = part(laid, 0.85, 1);
  const std::int64_t columns = std::min<std::int64_t>(5, s.product.n);
  const std::int64_t from = std::clamp<std::int64_t>(s.number.at.column - columns / 2, 0, s.product.n - columns);
  const double cell_wide = at.width / static_cast<double>(columns), y = at.y + 78;
  const double own = at.x + wide * static_cast<double>(row - first);
  const double column_wide = wide / static_cast<double>(s.product.n),
               begin = own + column_wide * static_cast<double>(from);
  plane.line("zoom left", begin, at.y + 34, at.x, y).shown = zoom;
  plane.line("zoom right", begin + column_wide * static_cast<double>(columns), at.y + 34, at.right(), y).shown = zoom;
  for (std::int64_t i = 0; i < columns; ++i) {
    const std::int64_t column = from + i;
    const PlaneBox cell = {at.x + cell_wide * static_cast<double>(i) + 1, y, cell_wide - 2, 44};
    const bool followed = column == s.number.at.column;
    const PlaneBox cell_in_c = world::on_c(s.product, row, column, 1, 1).grown(3);
    PlaneItem& box = followed ? plane.box("cell", world::on_way(cell_in_c, cell, zoom), Tone::followed)
                              : plane.box(fmt::format("element {}", column), cell, Tone::memory);
    box.type = Plane::Type::heading;
    if (!followed) box.shown = zoom;
    if (zoom >= 1) box.text = fmt::format("c[{}, {}]", row, column);
    plane
        .text(fmt::format("offset {}", column), {cell.x - 1, y + 46, cell_wide, 24},
              fmt::format("+ {}", with_thousands(row * m.row_bytes + column * m.element)), Plane::Type::label,
              Plane::Align::centre, followed ? Tone::plain : Tone::quiet)
        .shown = zoom;
  }
}

// The element of the question: the first one of the next row.
Narration::Values asked_address(const Tour& s) {
  const ResultMemory m(s);
  const std::int64_t row = s.number.at.row + 1;
  return {{"asked", fmt::format("c[{}, 0]", row)},
          {"asked_row", fmt::to_string(row)},
          {"asked_offset", with_thousands(row * m.row_bytes)},
          {"element_bytes", fmt::to_string(m.element)},
          {"row_bytes", with_thousands(m.row_bytes)}};
}

// The matrices a and b in the memory that the allocator holds, if the launch was recorded with what it reads.
void draw_inputs(Plane& plane, const Tour& s, const PlaneBox& cache, std::int64_t address, std::int64_t bytes) {
  const trace::KernelRecord* const record = kernel_record(s.trace(), s.walk());
  if (record == nullptr || !record->state) return;
  for (const trace::MemoryRange& range : record->state->memory)
    for (const std::string_view matrix : {"a", "b"}) {
      if (range.name != (matrix == "a" ? "argument 0" : "argument 1")) continue;
      const double from = static_cast<double>(range.address) - static_cast<double>(address);
      const double all = static_cast<double>(bytes), size = static_cast<double>(range.bytes);
      if (from < 0 || from + size > all) continue;
      PlaneBox block = cache.part(from / all, 0, size / all, 1);
      block.width -= 1.5;
      plane.box(fmt::format("block of {}", matrix), block, Tone::memory, std::string(matrix)).tip =
          s.word("tip_block_of_input", {{"matrix", std::string(matrix)}});
    }
}

}  // namespace

PlanePicture memory_plane(const Tour& s, double phase) {
  Plane plane(world::sheets_view);
  plane.frame("memory", world::memory, Tone::memory);
  const world::Sheets sheets = world::sheets(s.product);
  const ResultMemory m(s);
  const double right = sheets.c.right() + 44, wide = world::sheets_view.right() - 16 - right;
  const double top = world::sheets_view.y + 12;
  draw_sheets(plane, s, "");
  // The memory that the allocator holds, to scale, with the block in it.
  const auto& block = m.memory.block;
  std::optional<SegmentRange> segment;
  if (m.from_cache()) segment = segment_of(s.trace(), m.memory);
  plane.text("cache name", {right, top, wide, 28}, s.word(segment ? "cache" : "block_alone"), Plane::Type::body);
  const PlaneBox cache = {right, top + 32, wide, 40};
  PlaneBox place = cache;
  if (segment) {
    const auto all = static_cast<double>(segment->bytes);
    place = cache.part(static_cast<double>(block->address - segment->address) / all, 0,
                       static_cast<double>(block->bytes) / all, 1);
    plane.frame("cache", cache, Tone::memory).tip = s.word("tip_cache", {{"bytes", byte_count(s, segment->bytes)}});
    draw_inputs(plane, s, cache, segment->address, segment->bytes);
  }
  const std::string size = block ? s.word("block_of_c", {{"bytes", byte_count(s, block->bytes)}}) : std::string();
  constexpr double least = 0.25;  // of the width, for the text
  const bool inside = place.width >= least * wide;
  if (!inside && !size.empty()) {
    const bool after = cache.right() - place.right() >= least * wide;
    plane.text("block of c size",
               {after ? place.right() + 8 : cache.x + 8, cache.y,
                (after ? cache.right() - place.right() : place.x - cache.x) - 16, cache.height},
               size, Plane::Type::label, after ? Plane::Align::left : Plane::Align::right);
  }
  PlaneItem& own = plane.box("block of c", place, Tone::memory, inside ? size : std::string());
  own.shown = part(phase, 0, 0.2);
  own.tip = s.word("tip_block");
  own.origin = s.recorded();
  draw_rows(plane, s, m, {right, top + 122, wide, 120}, eased(part(phase, 0.2, 0.7)));
  plane.text("rows name", {right, top + 90, wide, 28}, s.word("rows_in_memory"), Plane::Type::body);
  const double told = part(phase, 0.75, 1);
  const bool known = m.base().has_value();
  const std::string rule =
      fmt::format("({} × {} + {}) × {}", s.number.at.row, s.product.n, s.number.at.column, m.element);
  plane
      .text("address rule", {right, top + 292, wide, 40},
            known ? fmt::format("{} + {}", analysis::address_text(*m.base()), rule)
                  : s.word("from_start", {{"rule", rule}}),
            Plane::Type::figure)
      .shown = told;
  PlaneItem& address =
      plane.text("address", {right, top + 336, wide, 40},
                 known ? fmt::format("= {}", analysis::address_text(*m.base() + static_cast<std::uint64_t>(m.offset)))
                       : s.word("bytes_after", {{"n", with_thousands(m.offset)}}),
                 Plane::Type::figure);
  address.shown = told;
  address.tip = s.word("tip_address");
  address.origin = Origin::derived;
  if (!open_question(s, memory_question(s)))
    plane
        .text("next address", {right, top + 382, wide, 28}, s.word("next_address", asked_address(s)), Plane::Type::body)
        .shown = told;
  // The cell is drawn in its row: of two it is the later one.
  PlanePicture picture = plane.take();
  picture.items.erase(std::ranges::find(picture.items, "cell", &PlaneItem::id));
  return picture;
}

std::string memory_section(const Tour& s) {
  const ResultMemory m(s);
  return m.from_cache() ? "memory" : m.memory.block ? "memory.driver" : "memory.unknown";
}

void memory_values(const Tour& s, Narration::Values& values) {
  for (auto& [name, value] : asked_address(s)) values.insert_or_assign(name, value);
}

std::optional<Ask> memory_question(const Tour& s) {
  const ResultMemory m(s);
  const std::int64_t row = s.number.at.row + 1;
  if (row >= s.product.m) return {};
  // Without the stride; by columns; without the bytes of an element; right.
  const std::array<std::pair<std::string_view, std::int64_t>, 4> ways = {{{"no_stride", row * m.element},
                                                                          {"no_bytes", row * s.product.n},
                                                                          {"right", row * m.row_bytes},
                                                                          {"columns", row * s.product.m * m.element}}};
  Ask asked{"memory", "", {}, {}};
  for (const auto& [key, offset] : ways) {
    if (key == "right")
      asked.options.right = asked.options.words.size();
    else if (offset == ways[2].second)
      continue;
    asked.options.words.push_back(s.word("answer_offset", {{"n", with_thousands(offset)}}));
    asked.options.keys.emplace_back(key);
  }
  return asked;
}

}  // namespace warpwalk::story
