// The memory around the address: what lies there, how far off it is, and the words that the dump has of it.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/sass/elf/bytes.h"
#include "core/story/scenes/crash/crash.h"

namespace warpwalk::story {
namespace {

constexpr std::uint64_t bytes_per_word = 4, words_per_row = 8, dump_row_bytes = bytes_per_word * words_per_row;
constexpr std::uint64_t dump_word_rows = 8;
constexpr std::int64_t far_apart = std::int64_t{1} << 40;  // a distance of so many bytes says nothing

/// The word at an address, as far as the dump has it.
std::optional<std::uint32_t> dump_word_at(const CrashScene& s, const CrashAddress& at, std::uint64_t address) {
  const auto number = [](std::string_view bytes, std::uint64_t offset) -> std::optional<std::uint32_t> {
    const auto value = sass::Bytes(bytes).number(offset, bytes_per_word);
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  };
  switch (at.space) {
    case crash::AccessSpace::global: return number(s.dump.memory_at(address, bytes_per_word), 0);
    case crash::AccessSpace::shared: return number(at.thread.block->shared_memory, address);
    case crash::AccessSpace::local: {
      const crash::DumpLane* const lane = at.thread.lane;
      if (lane == nullptr || address < lane->local_address) return std::nullopt;
      return number(lane->local_memory, address - lane->local_address);
    }
  }
  return std::nullopt;
}

/// The last address before `address` at which the dump has memory of this space; nullopt if there is none in 2 MiB.
std::optional<std::uint64_t> nearest_end(const CrashScene& s, const CrashAddress& at) {
  if (at.space == crash::AccessSpace::shared) {
    const std::uint64_t size = at.thread.block->shared_memory.size();
    return size > 0 && at.address >= size ? std::optional(size) : std::nullopt;
  }
  if (at.space == crash::AccessSpace::local) {
    if (at.thread.lane == nullptr || at.thread.lane->local_memory.empty()) return std::nullopt;
    const std::uint64_t begin = at.thread.lane->local_address, end = begin + at.thread.lane->local_memory.size();
    return at.address >= end ? end : begin + dump_row_bytes;
  }
  std::optional<std::uint64_t> end;
  for (const crash::DumpMemory& memory : s.dump.memory)
    if (memory.end() <= at.address) end = memory.end();
  return end;
}

/// Words in rows around an address; the accessed ones are marked.
TablePicture dump_words(const CrashScene& s, const CrashAddress& at, std::uint64_t around, std::uint64_t rows) {
  TablePicture table;
  table.columns.push_back({s.word("column_address"), 1, false, true});
  for (std::uint64_t i = 0; i < words_per_row; ++i)
    table.columns.push_back({fmt::format("+{}", i * bytes_per_word), 1, true, true});
  table.least_rows = 3;
  const std::uint64_t aligned = around / dump_row_bytes * dump_row_bytes;
  const std::uint64_t begin = aligned - std::min(aligned, rows / 2 * dump_row_bytes);
  for (std::uint64_t r = 0; r < rows; ++r) {
    TableRow row;
    const std::uint64_t first = begin + r * dump_row_bytes;
    row.cells.push_back(code_cell(words::address_text(first)));
    for (std::uint64_t w = 0; w < words_per_row; ++w) {
      const std::uint64_t address = first + w * bytes_per_word;
      const auto value = dump_word_at(s, at, address);
      const bool accessed = address < at.address + at.bytes && at.address < address + bytes_per_word;
      const Tone tone = accessed ? (s.failure() != nullptr ? Tone::refused : Tone::barrier)
                        : value  ? Tone::plain
                                 : Tone::quiet;
      TableCell cell = value ? recorded_cell(fmt::format("{:08x}", *value), tone)
                             : code_cell(accessed ? s.word("accessed_here") : "·", tone);
      if (value)
        cell.tip = fmt::format("{} = {:g}", static_cast<std::int32_t>(*value),
                               static_cast<double>(std::bit_cast<float>(*value)));
      row.cells.push_back(std::move(cell));
      row.followed = row.followed || accessed;
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// One row of what is known about global memory.
struct MapRow {
  std::uint64_t address = 0;
  std::optional<std::uint64_t> bytes;
  std::string name;
  bool is_access = false, is_null = false;
};

/// The arguments, the mapped memory next to the address, and the address, in the order of their addresses.
std::vector<MapRow> map_of(const CrashScene& s, const std::optional<CrashAddress>& at) {
  std::vector<MapRow> rows;
  const auto entry = s.grid == nullptr ? std::nullopt : s.code().at(s.grid->entry);
  const words::KernelWords kernel = s.kernel_of(s.grid);
  if (s.grid != nullptr)
    for (const crash::PointerArgument& one :
         crash::pointer_arguments(*s.grid, entry ? entry->loaded->function : nullptr))
      rows.push_back({one.address, {}, plain_text(kernel.argument(one)), false, one.address == 0});
  if (!at || at->space != crash::AccessSpace::global) return rows;
  if (at->near != nullptr && at->near->base == crash::Near::Base::variable)
    rows.push_back({at->near->base_address, at->near->size,
                    s.word("variable", {{"name", std::string(at->near->variable)}}), false, false});
  // A dump without global memory has some of the driver's own, which says nothing here.
  const crash::DumpMemory *below = nullptr, *above = nullptr;
  for (const crash::DumpMemory& memory : s.dump.memory) {
    if (!crash::has_global_memory(s.dump)) break;
    if (memory.address <= at->address) below = &memory;
    if (memory.address > at->address && above == nullptr) above = &memory;
  }
  for (const crash::DumpMemory* const memory : {below, above})
    if (memory != nullptr)
      rows.push_back({memory->address, memory->bytes.size(),
                      s.word(memory->managed ? "managed_memory" : "mapped_memory"), false, false});
  rows.push_back({at->address, at->bytes, s.word(s.failure() != nullptr ? "the_access" : "the_value"), true, false});
  std::ranges::stable_sort(rows, {}, &MapRow::address);
  return rows;
}

TablePicture map_table(const CrashScene& s, const std::optional<CrashAddress>& at) {
  TablePicture table;
  table.columns = {{s.word("column_what"), 2, false, false},
                   {s.word("column_from"), 1, true, true},
                   {s.word("column_bytes"), 1, true, true},
                   {s.word("column_mapped"), 1, false, true},
                   {s.word("column_distance"), 1, true, true}};
  const bool known = crash::has_global_memory(s.dump);
  const bool global = at && at->space == crash::AccessSpace::global;
  for (const MapRow& one : map_of(s, at)) {
    TableRow row;
    const bool mapped = !s.dump.memory_at(one.address, one.is_access ? one.bytes.value_or(1) : 1).empty();
    const auto distance = global ? static_cast<std::int64_t>(at->address - one.address) : 0;
    row.cells = {
        word_cell(one.name, one.is_access ? Tone::refused : Tone::plain),
        recorded_cell(one.is_null ? s.word("null") : words::address_text(one.address)),
        one.bytes ? recorded_cell(with_thousands(static_cast<std::int64_t>(*one.bytes))) : word_cell("–", Tone::quiet),
        !known ? word_cell(s.word("not_in_dump"), Tone::quiet)
               : word_cell(s.word(mapped ? "yes" : "no"), mapped ? Tone::plain : Tone::refused),
        global && !one.is_access && (distance >= 0 ? distance : -distance) < far_apart
            ? computed_cell(
                  fmt::format("{}{}", distance >= 0 ? "+" : "−", with_thousands(distance >= 0 ? distance : -distance)),
                  s.formula("distance"))
            : word_cell("–", Tone::quiet)};
    row.followed = one.is_access;
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Where memory of the block or the thread ends, and the address.
TablePicture extent_table(const CrashScene& s, const CrashAddress& at) {
  TablePicture table;
  table.columns = {{s.word("column_what"), 2, false, false},
                   {s.word("column_from"), 1, true, true},
                   {s.word("column_bytes"), 1, true, true},
                   {s.word("column_past"), 1, true, true}};
  const auto add = [&](std::string name, std::uint64_t from, std::uint64_t bytes, bool access) {
    TableRow row;
    const auto distance = static_cast<std::int64_t>(at.address) - static_cast<std::int64_t>(from + bytes);
    row.cells = {word_cell(std::move(name), access ? Tone::refused : Tone::plain),
                 recorded_cell(words::address_text(from)),
                 recorded_cell(with_thousands(static_cast<std::int64_t>(bytes))),
                 access ? word_cell("–", Tone::quiet)
                        : computed_cell(fmt::format("{}{}", distance >= 0 ? "+" : "−",
                                                    with_thousands(distance >= 0 ? distance : -distance)),
                                        s.formula("past_end"))};
    row.followed = access;
    table.rows.push_back(std::move(row));
  };
  const crash::Crash* const failed = s.failure();
  if (at.space == crash::AccessSpace::shared) {
    const std::uint64_t size =
        failed != nullptr && failed->shared_bytes
            ? *failed->shared_bytes
            : at.thread.warp->shared_bytes.value_or(static_cast<std::uint32_t>(at.thread.block->shared_memory.size()));
    add(s.word("shared_memory"), 0, size, false);
  } else if (failed != nullptr && failed->local_end) {
    const std::uint64_t begin = failed->local_begin.value_or(*failed->local_end);
    add(s.word("local_memory"), begin, *failed->local_end - begin, false);
  }
  add(s.word(failed != nullptr ? "the_access" : "the_value"), at.address, at.bytes, true);
  return table;
}

/// What the words show: those around the address, or the last ones before it if it is not mapped.
void add_dump_words(const CrashScene& s, const CrashAddress& at, std::vector<PanelRow>& rows) {
  const bool there = dump_word_at(s, at, at.address / bytes_per_word * bytes_per_word).has_value();
  const auto end = there ? std::nullopt : nearest_end(s, at);
  if (!there && !end) return;
  const bool beside = end && at.address - std::min(at.address, *end) < dump_word_rows * dump_row_bytes / 2;
  const std::uint64_t around = there || beside ? at.address : *end - dump_row_bytes;
  const std::string_view head = there || beside ? "head_words" : "head_words_before";
  rows.push_back({1.4, {{s.word(head), 1, dump_words(s, at, around, dump_word_rows)}}});
}

}  // namespace

std::vector<PanelRow> memory_rows(const CrashScene& s) {
  std::vector<PanelRow> rows;
  const auto at = address_of(s);
  if (at && at->space != crash::AccessSpace::global) {
    rows.push_back(
        {1,
         {{s.word(at->space == crash::AccessSpace::shared ? "head_shared" : "head_local"), 1, extent_table(s, *at)}},
         true});
    add_dump_words(s, *at, rows);
  }
  if (!at || at->space == crash::AccessSpace::global) {
    TablePicture map = map_table(s, at);
    if (!map.rows.empty()) rows.push_back({1, {{s.word("head_map"), 1, std::move(map)}}, true});
    if (at) add_dump_words(s, *at, rows);
  }
  return rows;
}

}  // namespace warpwalk::story
