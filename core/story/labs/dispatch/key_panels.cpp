// The key set bit by bit, and the op's row of the table.
#include <algorithm>

#include <fmt/ranges.h>

#include "core/story/labs/dispatch/dispatch.h"
namespace warpwalk::story {
namespace {

constexpr std::size_t grid_columns = 32;

bool in_any(const CallKeys& keys, int bit) {
  return std::ranges::any_of(keys.tensors, [&](const CallKeys::Tensor& one) { return one.keys.has(bit); });
}

std::string source_word(const DispatchLab& lab, int bit) {
  const CallKeys& keys = lab.keys;
  const bool tensors = in_any(keys, bit), thread = keys.includes.has(bit);
  if (!tensors && !thread) return lab.word("bit_off");
  if (!keys.set.has(bit)) return lab.word("bit_excluded");
  return lab.word(tensors && thread ? "bit_both" : tensors ? "bit_tensors" : "bit_thread");
}

Tone tone_of(const DispatchLab& lab, int bit) {
  const bool tensors = in_any(lab.keys, bit), thread = lab.keys.includes.has(bit);
  if (lab.keys.set.has(bit)) return tensors ? Tone::memory : Tone::shared;
  return tensors || thread ? Tone::refused : Tone::quiet;
}

std::string shown_name(int bit) { return bit_name(bit).empty() ? "–" : std::string(bit_name(bit)); }

/// The word for a table entry, with its tone.
std::pair<std::string_view, Tone> meaning(TableEntry entry) {
  switch (entry) {
    case TableEntry::kernel: return {"entry_kernel", Tone::work};
    case TableEntry::composite: return {"entry_composite", Tone::shared};
    case TableEntry::all_backends: return {"entry_all", Tone::work};
    case TableEntry::wrapper: return {"entry_wrapper", Tone::host};
    case TableEntry::fallthrough: return {"entry_pass", Tone::quiet};
    case TableEntry::missing: return {"entry_none", Tone::refused};
  }
  return {"entry_none", Tone::refused};
}

TableCell entry_cell(const DispatchLab& lab, TableEntry entry) {
  const auto [key, tone] = meaning(entry);
  return word_cell(lab.word(key), tone);
}

}  // namespace

Panel bits_panel(const DispatchLab& lab) {
  CellGrid grid;
  grid.columns = grid_columns;
  const int top = lab.keys.set.highest();
  for (int bit = KeyBits::all - 1; bit >= 0; --bit) {
    Cell cell{tone_of(lab, bit), fmt::to_string(bit),
              fmt::format("{} {}: {}, {}", lab.word("bit"), bit, shown_name(bit), source_word(lab, bit))};
    if (bit == top) cell.tone = Tone::followed;
    cell.sets = {{fmt::format("{}.bit", DispatchLab::name), static_cast<double>(bit)}};
    grid.cells.push_back(std::move(cell));
  }
  grid.followed = static_cast<std::size_t>(KeyBits::all - 1 - lab.bit);
  grid.legend = legend(grid, lab.input, "lab/dispatch.word",
                       {{Tone::followed, "highest"},
                        {Tone::memory, "from_tensors"},
                        {Tone::shared, "from_thread"},
                        {Tone::refused, "taken_away"},
                        {Tone::quiet, "not_set"}});
  grid.summary = fmt::format("{}: {}", lab.word("set"), fmt::join(lab.keys.set.keys(), ", "));
  grid.note = lab.word("bits_note",
                       {{"last", fmt::to_string(KeyBits::backends - 1)}, {"first", fmt::to_string(KeyBits::backends)}});
  return {lab.word("set_head", {{"raw", fmt::format("0x{:016x}", lab.keys.set.raw())}}), 1, std::move(grid)};
}

Panel sources_panel(const DispatchLab& lab, double shown) {
  RasterPicture raster;
  raster.states = {{Tone::memory, false, false, lab.word("from_tensors")},
                   {Tone::shared, false, false, lab.word("from_thread")},
                   {Tone::refused, false, false, lab.word("taken_away")},
                   {Tone::work, false, false, lab.word("in_set")}};
  raster.to = KeyBits::all;
  raster.word_cycle = lab.word("bit");
  RasterGroup group;
  group.name = lab.word("sources");
  const auto add = [&](std::string label, KeyBits bits, std::size_t state, double from) {
    if (shown < from) return;
    RasterRow row{std::move(label)};
    for (int bit = 0; bit < KeyBits::all; ++bit)
      if (bits.has(bit)) row.spans.push_back({bit, bit + 1, state, fmt::format("{}: {}", bit, shown_name(bit))});
    group.rows.push_back(std::move(row));
  };
  double from = 0;
  for (const CallKeys::Tensor& tensor : lab.keys.tensors)
    add(lab.word("tensor", {{"name", tensor.name}}), tensor.keys, 0, from += 0.15);
  add(lab.word("adds"), lab.keys.includes, 1, from += 0.15);
  add(lab.word("removes"), lab.keys.excludes, 2, from += 0.15);
  add(lab.word("set"), lab.keys.set, 3, 0.9);
  raster.groups.push_back(std::move(group));
  return {"", 1, std::move(raster)};
}

TableEntry own_entry(const ops::Dispatcher& dispatcher, const ops::Operator& op, ops::Key key) {
  using Kind = ops::Registration::Kind;
  const ops::Registration& entry = dispatcher.at(op, key);
  if (op.composite && &entry == &*op.composite) return TableEntry::composite;
  if (op.any_backend && &entry == &*op.any_backend) return TableEntry::all_backends;
  switch (entry.kind) {
    case Kind::kernel: return TableEntry::kernel;
    case Kind::redispatch: return TableEntry::wrapper;
    case Kind::fallthrough: return TableEntry::fallthrough;
    case Kind::none: break;
  }
  return TableEntry::missing;
}

Panel table_panel(const DispatchLab& lab) {
  CompleteDispatcher with;
  TablePicture table;
  table.columns = {{lab.word("key"), 1.5}};
  for (const LabOp& op : lab_ops()) table.columns.push_back({std::string(op.name), 1});
  const std::vector<std::string> set = lab.keys.set.keys();
  const bool cpu = lab.setting.device == ops::DeviceKind::cpu;
  for (std::size_t k = ops::key_count; k-- > 0;) {
    const ops::Key key = static_cast<ops::Key>(k);
    // The keys of the other device have the same entries.
    if (ops::name_of(key).ends_with(cpu ? "CUDA" : "CPU")) continue;
    TableRow row;
    row.cells = {word_cell(std::string(ops::name_of(key)))};
    row.cells.front().code = true;
    row.followed = std::ranges::find(set, ops::name_of(key)) != set.end();
    for (const LabOp& op : lab_ops())
      row.cells.push_back(entry_cell(lab, own_entry(with.dispatcher(), *with.dispatcher().find(op.op), key)));
    table.rows.push_back(std::move(row));
  }
  return {lab.word("table_head"), 1, std::move(table)};
}

Panel row_panel(const DispatchLab& lab) {
  CompleteDispatcher with;
  const ops::Operator& op = *with.dispatcher().find(lab.op->op);
  TablePicture table;
  table.columns = {{lab.word("key"), 1.1},
                   {lab.word("here"), 0.8},
                   {lab.word("function"), 1.8, false, false, true},
                   {"PyTorch 2.11", 0.8},
                   {lab.word("compared"), 0.8}};
  for (const std::string& key : lab.keys.set.keys()) {
    const int place = row_place(key);
    TableRow& row = table.rows.emplace_back();
    row.cells = {word_cell(key)};
    row.cells.front().code = true;
    if (place < 0) {
      row.cells.push_back(word_cell("–", Tone::quiet));
      row.cells.push_back(word_cell(lab.word("no_such_key"), Tone::quiet));
      row.cells.push_back(entry_cell(lab, TableEntry::wrapper));
      row.cells.push_back(word_cell(lab.word("differs"), Tone::shared));
      continue;
    }
    const auto k = static_cast<std::size_t>(place);
    const TableEntry own = own_entry(with.dispatcher(), op, static_cast<ops::Key>(place)), other = entry_at(*lab.op, k);
    const ops::Registration& entry = with.dispatcher().at(op, static_cast<ops::Key>(place));
    row.cells.push_back(entry_cell(lab, own));
    row.cells.push_back(word_cell(entry.name.empty() ? "–" : entry.name, Tone::quiet));
    row.cells.push_back(entry_cell(lab, other));
    row.cells.push_back(own == other ? word_cell(lab.word("same"), Tone::quiet)
                                     : word_cell(lab.word("differs"), Tone::shared));
  }
  return {lab.word("row_head", {{"op", std::string(lab.op->op)}}), 1, std::move(table)};
}

}  // namespace warpwalk::story
