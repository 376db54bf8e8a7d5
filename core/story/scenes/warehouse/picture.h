#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/memory/memory_map.h"
#include "core/story/elements/figure.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// A label with its figure.
struct WarehouseLine {
  std::string label;
  Figure figure;
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(label, figure, shown);
    v.line("  ", label, ": ", text_with_origin(figure));
  }
};

/// A part of the allocator's memory, to scale.
struct WarehousePart {
  enum class Kind : std::uint8_t { seen, before, cached };
  Kind kind = Kind::seen;
  std::string label;
  Figure figure;

  template <class V>
  void visit(V& v) const {
    v.data(kind, label, figure);
    v.line(label, ": ", text_with_origin(figure));
  }
};

/// A range of a strip.
struct WarehouseRange {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  analysis::MemoryRange::State state = analysis::MemoryRange::State::block;
  bool followed = false;
  bool chosen = false;
  std::string label;  ///< on the block if it fits
  std::string tip;
  double shown = 1;  ///< of a range that is changing: how far it is visible

  template <class V>
  void visit(V& v) const {
    v.data(address, bytes, state, followed, chosen, label, tip, shown);
    if (followed) v.line("followed: ", tip);
  }
};

struct WarehouseStrip {
  std::string label;
  std::string tip;
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  std::int64_t scale = 1;      ///< bytes of the whole width
  bool segment = false;        ///< its ends are known; else they are drawn torn
  std::uint64_t was = 0;       ///< address of the followed block after it was freed
  std::int64_t was_bytes = 0;  ///< 0: it was not here, or it still is
  std::string was_label;
  std::vector<WarehouseRange> ranges;

  template <class V>
  void visit(V& v) const {
    v.data(label, tip, address, bytes, scale, segment, was, was_bytes, was_label);
    v.line("strip: ", label,
           ", blocks: ", std::ranges::count(ranges, analysis::MemoryRange::State::block, &WarehouseRange::state));
    v.each(ranges);
  }
};

/// A few elements of a tensor: how indices become addresses.
struct WarehouseGrid {
  std::vector<std::int64_t> offsets;  ///< in elements from the tensor's first one, row by row
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool more_rows = false, more_columns = false;  ///< the tensor continues
  std::size_t row = 0, column = 0;               ///< the chosen element
  double to_storage = 1;                         ///< progress of its way to the storage
  std::string head_index, head_storage;

  template <class V>
  void visit(V& v) const {
    v.data(offsets, rows, columns, more_rows, more_columns, row, column, to_storage, head_index, head_storage);
  }
};

/// The column beside the map: the request, a tensor, the account of the memory, or the life of a block.
struct WarehouseColumn {
  enum class Kind : std::uint8_t { none, request, tensor, account, block };
  Kind kind = Kind::none;
  std::string head;
  std::vector<WarehouseLine> lines;
  std::string note;
  std::vector<std::string> tensors;   ///< to choose from, in every column
  std::string head_tensors;           ///< before them
  std::optional<std::size_t> chosen;  ///< of the tensors
  std::optional<WarehouseGrid> grid;

  template <class V>
  void visit(V& v) const {
    v.data(kind, head, note, tensors, head_tensors, chosen);
    if (kind != Kind::none) v.line(head, ":");
    v.each(lines);
    if (!note.empty()) v.line("  ", note);
    v.part(grid);
  }
};

/// A buffer of a kernel whose address was not recorded.
struct WarehouseBuffer {
  std::string name;
  std::string elements;    ///< "385 × f16"; empty if the type is not known
  std::string before;      ///< its contents before the kernel
  std::uint64_t size = 0;  ///< bytes: the length of its bar
  Figure bytes;
  double shown = 1;

  template <class V>
  void visit(V& v) const {
    v.data(name, elements, before, size, bytes, shown);
    if (shown > 0)
      v.line("buffer: ", name, ": ", elements, elements.empty() ? "" : ", ", text_with_origin(bytes), "; ", before);
  }
};

/// Memory over time, its parts, and its addresses, all at one moment.
struct WarehousePicture {
  // Over time; ns since the trace's start.
  std::vector<analysis::MemoryPoint> points;
  double from = 0, to = 1;
  double now = 0;
  double top = 1;                  ///< bytes at the top of the scale
  double level_allocated = -1;     ///< bytes at the moment; below 0: not recorded
  double level_reserved = -1;      ///< the same
  std::optional<double> capacity;  ///< bytes
  bool capacity_above = false;     ///< it is far above the scale, which is broken
  double capacity_shown = 0;
  std::string head_time, label_allocated, label_reserved, label_capacity, label_now, label_scale;
  std::string no_history;  ///< shown instead if nothing was recorded
  std::string rules;       ///< then the allocator's general rules

  // The parts of the memory.
  std::string head_account, label_share;
  std::vector<WarehousePart> parts;

  // The addresses.
  std::string head_addresses, more_strips, word_torn;
  std::vector<WarehouseStrip> strips;  ///< the most informative first
  std::size_t strips_in_all = 0;       ///< including those that are not listed

  WarehouseColumn column;

  // Alternative to the fields above: the kernel's buffers.
  std::vector<WarehouseBuffer> buffers;
  std::string head_buffers, head_before;

  template <class V>
  void visit(V& v) const {
    v.data(from, to, now, top, level_allocated, level_reserved, capacity, capacity_above, capacity_shown);
    v.data(head_time, label_allocated, label_reserved, label_capacity, label_now, label_scale, no_history, rules);
    v.data(head_account, label_share, head_addresses, more_strips, word_torn, strips_in_all, head_buffers, head_before);
    for (const analysis::MemoryPoint& p : points)
      v.data(p.time, p.allocated, p.allocated_low, p.allocated_high, p.reserved);
    v.each(buffers);
    for (const std::string* words : {&no_history, &rules})
      if (!words->empty()) v.line(*words);
    if (!points.empty()) v.line(label_now, ": ", label_allocated, label_reserved.empty() ? "" : ", ", label_reserved);
    if (capacity && capacity_shown > 0) v.line(label_capacity);
    v.each(parts);
    v.each(strips);
    if (strips_in_all > strips.size()) v.line(more_strips, " ", strips_in_all - strips.size());
    v.part(column);
  }
};

}  // namespace warpwalk::story
