#include "core/story/scenes/warehouse/picture.h"

#include <fmt/format.h>

namespace warpwalk::story {
namespace {

std::string figure_text(const Figure& figure) {
  std::string text = fmt::format("{} [{}", figure.text(), trace::name_of(figure.origin()));
  if (!figure.formula().empty()) text += ": " + figure.formula();
  return text + "]";
}

std::string everything_in(const WarehouseColumn& column) {
  std::string out = fmt::format("{} {}\n{}\n{}\n", static_cast<int>(column.kind), column.head, column.note,
                                column.chosen ? static_cast<int>(*column.chosen) : -1);
  for (const std::string& tensor : column.tensors) out += tensor + "\n";
  for (const WarehouseLine& line : column.lines)
    out += fmt::format("{} {} {}\n", line.label, figure_text(line.figure), line.shown);
  if (!column.grid) return out;
  const WarehouseGrid& grid = *column.grid;
  out += fmt::format("{} {} {} {} {} {} {}\n{}\n{}\n", grid.rows, grid.columns, grid.more_rows, grid.more_columns,
                     grid.row, grid.column, grid.to_storage, grid.head_index, grid.head_storage);
  for (const std::int64_t offset : grid.offsets) out += fmt::format("{} ", offset);
  return out + "\n";
}

}  // namespace

std::string text_of(const WarehousePicture& picture) {
  std::string out;
  for (const WarehouseBuffer& buffer : picture.buffers)
    if (buffer.shown > 0)
      out += fmt::format("  buffer: {}: {}{}{}; {}\n", buffer.name, buffer.elements,
                         buffer.elements.empty() ? "" : ", ", figure_text(buffer.bytes), buffer.before);
  for (const std::string* words : {&picture.no_history, &picture.rules})
    if (!words->empty()) out += fmt::format("  {}\n", *words);
  if (!picture.points.empty()) {
    out += fmt::format("  {}: {}", picture.label_now, picture.label_allocated);
    if (!picture.label_reserved.empty()) out += ", " + picture.label_reserved;
    out += "\n";
  }
  if (picture.capacity && picture.capacity_shown > 0) out += fmt::format("  {}\n", picture.label_capacity);
  for (const WarehousePart& part : picture.parts)
    out += fmt::format("  {}: {}\n", part.label, figure_text(part.figure));
  for (const WarehouseStrip& strip : picture.strips) {
    std::size_t blocks = 0;
    for (const WarehouseRange& range : strip.ranges) blocks += range.state == MemoryRange::State::block;
    out += fmt::format("  strip: {}, blocks: {}\n", strip.label, blocks);
    for (const WarehouseRange& range : strip.ranges)
      if (range.followed) out += fmt::format("  followed: {}\n", range.tip);
  }
  if (picture.strips_in_all > picture.strips.size())
    out += fmt::format("  {} {}\n", picture.more_strips, picture.strips_in_all - picture.strips.size());
  if (picture.column.kind != WarehouseColumn::Kind::none) out += fmt::format("  {}:\n", picture.column.head);
  for (const WarehouseLine& line : picture.column.lines)
    out += fmt::format("    {}: {}\n", line.label, figure_text(line.figure));
  if (!picture.column.note.empty()) out += fmt::format("    {}\n", picture.column.note);
  return out;
}

std::string everything_in(const WarehousePicture& picture) {
  std::string out = fmt::format("{} {} {} {} {} {} {} {} {}\n", picture.from, picture.to, picture.now, picture.top,
                                picture.level_allocated, picture.level_reserved, picture.capacity.value_or(-1),
                                picture.capacity_above, picture.capacity_shown);
  out += fmt::format("{}\n{}\n", picture.head_buffers, picture.head_before);
  for (const WarehouseBuffer& buffer : picture.buffers)
    out += fmt::format("{} {} {} {} {} {}\n", buffer.name, buffer.elements, buffer.before, buffer.size,
                       figure_text(buffer.bytes), buffer.shown);
  for (const std::string* word :
       {&picture.head_time, &picture.label_allocated, &picture.label_reserved, &picture.label_capacity,
        &picture.label_now, &picture.label_scale, &picture.no_history, &picture.rules, &picture.head_account,
        &picture.label_share, &picture.head_addresses, &picture.more_strips, &picture.word_torn})
    out += *word + "\n";
  out += fmt::format("{}\n", picture.strips_in_all);
  for (const MemoryPoint& point : picture.points)
    out += fmt::format("{} {} {} {} {}\n", point.time, point.allocated, point.allocated_low, point.allocated_high,
                       point.reserved);
  for (const WarehousePart& part : picture.parts)
    out += fmt::format("{} {} {}\n", static_cast<int>(part.kind), part.label, figure_text(part.figure));
  for (const WarehouseStrip& strip : picture.strips) {
    out += fmt::format("{}\n{}\n{} {} {} {} {} {}\n{}\n", strip.label, strip.tip, strip.address, strip.bytes,
                       strip.scale, strip.segment, strip.was, strip.was_bytes, strip.was_label);
    for (const WarehouseRange& range : strip.ranges)
      out += fmt::format("{} {} {} {} {} {}\n{}\n{}\n", range.address, range.bytes, static_cast<int>(range.state),
                         range.followed, range.chosen, range.shown, range.label, range.tip);
  }
  return out + everything_in(picture.column);
}

}  // namespace warpwalk::story
