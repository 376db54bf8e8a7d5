// What failed, or who waits for whom, and the code around it.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/analysis/names/kernel_name.h"
#include "core/story/scenes/crash/crash.h"
#include "core/words/crash/armed_text.h"

namespace warpwalk::story {
namespace {

using crash::CodePlace;
using crash::Near;

constexpr std::size_t most_waits = 8;

/// Bytes exactly if they are few, otherwise in KiB to TiB.
std::string distance_text(std::uint64_t bytes) {
  constexpr std::uint64_t exact = 1'000'000;
  return bytes < exact ? with_thousands(static_cast<std::int64_t>(bytes)) + " B"
                       : bytes_text(static_cast<double>(bytes));
}

TableRow what_line(const CrashScene& s, std::string_view key, TableCell cell) {
  return {{word_cell(s.word(key), Tone::quiet), std::move(cell)}, false, {}, {}, no_slice, {}};
}

std::string dump_access_text(const CrashScene& s, const crash::Access& access) {
  const std::string_view verb = access.is_atomic ? "updates" : access.writes ? "writes" : "reads";
  constexpr std::string_view spaces[] = {"global", "shared", "local"};
  return s.word(verb, {{"bytes", std::to_string(access.bytes)},
                       {"space", s.word(spaces[static_cast<std::size_t>(access.space)])}});
}

/// A number of lines before and after that of a place, of its source file.
CodePicture::Column source_around(const CrashScene& s, const std::optional<CodePlace>& place, std::size_t lines) {
  CodePicture::Column column;
  column.kind = CodeKind::source;
  column.share = 1;
  const sass::SourcePosition position = place ? words::shown_position(place->sources()) : sass::SourcePosition{};
  column.name = position.line == 0 ? s.word("source") : std::string(position.file);
  const std::size_t slash = column.name.find_last_of("/\\");
  if (slash != std::string::npos) column.name.erase(0, slash + 1);
  if (position.line == 0) {
    column.missing = s.word("no_lines");
    return column;
  }
  const std::vector<std::string_view> text = s.report.sources.lines(position.file);
  if (position.line > text.size()) {
    column.missing = s.word("no_file", {{"file", std::string(position.file)}, {"line", std::to_string(position.line)}});
    return column;
  }
  const std::size_t count = std::min(lines, text.size()), before = std::min<std::size_t>(count / 2, position.line - 1);
  const std::size_t top = std::min<std::size_t>(position.line - 1 - before, text.size() - count);
  for (std::size_t i = top; i < top + count; ++i) {
    const auto number = static_cast<std::int64_t>(i) + 1;
    const bool lit = i + 1 == position.line;
    if (lit) column.window.focus = column.window.lines.size();
    column.window.lines.push_back({number, std::string(text[i]), number, lit});
  }
  column.window.all_lines = static_cast<std::int64_t>(text.size());
  column.window.lit_lines = 1;
  return column;
}

/// The machine code around a place; what is compiled from its line is lit.
CodePicture::Column machine_code_around(const CrashScene& s, const std::optional<CodePlace>& place, std::size_t lines,
                                        std::string_view mark) {
  CodePicture::Column column;
  column.kind = CodeKind::sass;
  column.name = s.word("machine_code");
  column.share = 1.1;
  if (!place) {
    column.missing = s.word("no_code");
    return column;
  }
  column.note = analysis::read_kernel_name(place->function_name()).function;
  const sass::SourcePosition here = words::shown_position(place->sources());
  const std::size_t all = place->loaded->code.size(), count = std::min(lines, all);
  const std::size_t top = std::min(place->index - std::min(place->index, count / 2), all - count);
  for (std::size_t i = top; i < top + count; ++i) {
    const CodePlace at{place->loaded, i};
    const sass::SourcePosition position = words::shown_position(at.sources());
    CodeLine line;
    line.number = static_cast<std::int64_t>(i * sass::instruction_bytes);
    line.text = s.instruction_text(at);
    const bool same_file = position.line != 0 && position.file == here.file;
    line.source_line = same_file ? position.line : 0;
    line.lit = i == place->index;
    if (position.line != 0) line.tip = s.line_name(at);
    if (line.lit) {
      column.window.focus = column.window.lines.size();
      line.values.push_back(s.word(mark));
    }
    column.window.lines.push_back(std::move(line));
  }
  column.window.all_lines = static_cast<std::int64_t>(all);
  column.window.lit_lines = 1;
  return column;
}

/// What lies at the address of a lane. It is measured from the same memory as that of the lane that failed first.
Near near_of_lane(const CrashScene& s, const CrashAddress& at) {
  const crash::Crash* const failed = s.failure();
  const bool has_base = failed != nullptr && failed->near &&
                        (failed->near->base == Near::Base::argument || failed->near->base == Near::Base::variable);
  if (!has_base) return crash::near_address(at.thread, s.report.code_of(*at.thread.device), at.address, at.bytes, {});
  Near near = *failed->near;
  near.offset = static_cast<std::int64_t>(at.address - near.base_address);
  if (near.mapped) near.mapped = !s.dump.memory_at(at.address, at.bytes).empty();
  return near;
}

/// The address that a lane accessed when its warp failed; that of the first failed lane if `lane` accessed none.
std::optional<CrashAddress> address_in(const crash::Crash* failed, const crash::DumpLane* lane) {
  if (failed == nullptr || !failed->access || failed->thread.grid == nullptr) return {};
  const crash::LaneAccess* found = nullptr;
  for (const crash::LaneAccess& access : failed->accesses)
    if (access.address && access.lane == lane) found = &access;
  for (const crash::LaneAccess& access : failed->lanes)
    if (access.address && found == nullptr) found = &access;
  if (found == nullptr) return {};
  CrashAddress at{failed->access->space, *found->address, failed->access->bytes, nullptr, failed->thread};
  at.thread.lane = found->lane;
  if (failed->near && failed->thread.lane == found->lane) at.near = &*failed->near;
  return at;
}

}  // namespace

std::optional<CrashAddress> failed_address(const CrashScene& s) { return address_in(s.any_failure(), nullptr); }

std::optional<CrashAddress> address_of(const CrashScene& s) {
  if (s.failure() != nullptr) return address_in(s.failure(), s.lane);
  for (const crash::Wait& wait : s.report.waits) {
    if (!wait.address || wait.thread.warp != s.warp) continue;
    return CrashAddress{wait.access ? wait.access->space : crash::AccessSpace::shared, *wait.address,
                        wait.access ? wait.access->bytes : 8, wait.near ? &*wait.near : nullptr, wait.thread};
  }
  return {};
}

std::string near_words(const CrashScene& s, const CrashAddress& at) {
  Narration::Values values;
  const auto text = [&](std::string_view key) { return s.input.narration.text("crash.near", key, values); };
  const crash::Crash* const failed = s.any_failure();
  if (at.space == crash::AccessSpace::shared && failed != nullptr && failed->shared_bytes &&
      at.address >= *failed->shared_bytes) {
    values["past"] = distance_text(at.address - *failed->shared_bytes);
    values["size"] = distance_text(*failed->shared_bytes);
    return text("past_shared");
  }
  if (at.space != crash::AccessSpace::global) return text(at.space == crash::AccessSpace::shared ? "shared" : "local");
  crash::Near own;
  const crash::Near* near = at.near;
  if (near == nullptr) {
    own = near_of_lane(s, at);
    near = &own;
  }
  const words::KernelWords kernel = s.kernel_of(at.thread.grid);
  const auto offset = static_cast<std::uint64_t>(near->offset < 0 ? -near->offset : near->offset);
  values["offset"] = distance_text(offset);
  if (near->argument) values["name"] = plain_text(kernel.argument(*near->argument));
  if (near->base == Near::Base::null) return text(near->argument ? "null_argument" : "null");
  if (near->base == Near::Base::none) return text("none");
  if (near->base == Near::Base::variable) values["name"] = s.word("variable", {{"name", std::string(near->variable)}});
  if (near->base == Near::Base::memory) values["name"] = s.word("other_memory");
  if (near->offset < 0) return text("before");
  if (near->base_mapped && !*near->base_mapped) return text("freed");
  if (near->size && offset >= *near->size) {
    values["size"] = distance_text(*near->size);
    values["past"] = distance_text(offset - *near->size);
    return text("past");
  }
  if (near->mapped && *near->mapped && s.failure() != nullptr) return text("refused");
  return text(offset == 0 ? "start" : "inside");
}

/// Of an armed program: which call launched the kernel, which one noticed that it had failed, and the allocation that
/// lies nearest to the address.
void add_calls(const CrashScene& s, std::vector<TableRow>& rows) {
  if (!s.report.calls || s.report.launch.call == nullptr) return;
  const crash::CallRing& calls = *s.report.calls;
  const crash::RingEntry& launch = *s.report.launch.call;
  const words::CallPlace place = words::call_place(calls, launch);
  const auto at = [](const std::string& python) { return python.empty() ? std::string() : python + "   "; };
  rows.push_back(what_line(
      s, "launched",
      recorded_cell(at(place.python) + s.word(place.modules.empty() ? "launched_by" : "launched_in",
                                              {{"number", with_thousands(static_cast<std::int64_t>(launch.number))},
                                               {"call", std::string(calls.text(launch.name))},
                                               {"modules", place.modules}}))));
  if (const std::string_view op = calls.text(launch.op); !op.empty())
    rows.push_back(what_line(s, "op", recorded_cell(std::string(op))));
  for (const words::ArgumentTensor& one : words::argument_tensors(s.report))
    rows.push_back(what_line(s, "tensor",
                             recorded_cell(plain_text(s.kernel_of(s.grid).argument(one.argument) + "   " +
                                                      words::tensor_text(*one.tensor)))));
  const crash::RingEntry* const noticed = words::noticed_at(calls, launch);
  if (noticed != nullptr && noticed->number > launch.number)
    rows.push_back(what_line(
        s, "noticed",
        recorded_cell(at(words::call_place(calls, *noticed).python) +
                      s.word("noticed_by", {{"number", with_thousands(static_cast<std::int64_t>(noticed->number))},
                                            {"call", std::string(calls.text(noticed->name))},
                                            {"error", std::to_string(noticed->result)}}))));
  if (!s.report.replay.empty())
    rows.push_back(what_line(s, "replay", word_cell(s.word("replay_in", {{"file", s.report.replay}}))));
  const auto address = failed_address(s);
  if (!address || address->space != crash::AccessSpace::global) return;
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (const crash::RingAllocation* const nearest = calls.allocation_near(address->address, most))
    rows.push_back(what_line(s, "allocation", recorded_cell(words::allocation_text(calls, *nearest))));
}

PanelRow what_row(const CrashScene& s) {
  const crash::Crash& crash = *s.any_failure();
  TablePicture table;
  table.columns = {{"", 1, false, true}, {"", 4, false, false, true}};
  const words::KernelWords kernel = s.kernel_of(crash.thread.grid);
  table.rows.push_back(
      what_line(s, "kernel",
                recorded_cell(crash.thread.grid == nullptr
                                  ? kernel.name
                                  : s.word("kernel_of", {{"name", kernel.name},
                                                         {"grid", words::extent_text(crash.thread.grid->grid)},
                                                         {"block", words::extent_text(crash.thread.grid->block)}}))));
  const std::string block = words::extent_text(crash.thread.block->block);
  std::string threads = crash.lanes.empty() ? s.word("unknown") : words::extent_text(crash.lanes.front().lane->thread);
  if (crash.lanes.size() > 1)
    threads = s.word("several_threads", {{"first", threads},
                                         {"last", words::extent_text(crash.lanes.back().lane->thread)},
                                         {"count", std::to_string(crash.lanes.size())}});
  table.rows.push_back(what_line(
      s, "thread", recorded_cell(s.word("thread_of", {{"thread", threads}, {"block", block}}), Tone::refused)));
  table.rows.push_back(what_line(
      s, "place",
      recorded_cell(
          s.word("warp_of", {{"sm", std::to_string(crash.sm)}, {"warp", std::to_string(crash.thread.warp->warp)}}))));
  const std::string line = s.line_text(crash.place);
  table.rows.push_back(
      what_line(s, "line", recorded_cell(s.line_name(crash.place) + (line.empty() ? "" : "   " + line))));
  table.rows.push_back(what_line(
      s, "instruction",
      recorded_cell(fmt::format("{}   {}", s.offset_text(crash.place, crash.pc), s.instruction_text(crash.place)))));
  if (crash.access) {
    table.rows.push_back(
        what_line(s, "access", computed_cell(dump_access_text(s, *crash.access), s.formula("access"))));
    const auto at = failed_address(s);
    table.rows.push_back(what_line(s, "address",
                                   at ? computed_cell(words::address_text(at->address), s.formula("address"))
                                      : word_cell(s.word("unknown_address"))));
    if (at) table.rows.push_back(what_line(s, "there", computed_cell(near_words(s, *at), s.formula("there"))));
  }
  if (crash.assertion && !crash.assertion->text.empty())
    table.rows.push_back(what_line(
        s, "assertion",
        recorded_cell(fmt::format("{}   {}:{}", crash.assertion->text, crash.assertion->file, crash.assertion->line))));
  add_calls(s, table.rows);
  return {1, {{s.word("head_what"), 1, std::move(table)}}, true};
}

PanelRow waits_row(const CrashScene& s) {
  TablePicture table;
  table.columns = {{s.word("column_who"), 2, false, false, true},
                   {s.word("column_waits"), 2.4, false, false, true},
                   {s.word("column_line"), 2.4, false, false, true},
                   {s.word("column_threads"), 0.5, true, true}};
  for (std::size_t i = 0; i < std::min(s.report.waits.size(), most_waits); ++i) {
    const crash::Wait& wait = s.report.waits[i];
    const std::string warps = fmt::format("{}", fmt::join(wait.warps, ", "));
    const Narration::Values values = {{"kernel", s.kernel_of(wait.thread.grid).name},
                                      {"warps", warps},
                                      {"block", words::extent_text(wait.thread.block->block)},
                                      {"more", std::to_string(wait.blocks - 1)}};
    const std::string key =
        std::string(wait.warps.size() == 1 ? "who_warp" : "who_warps") + (wait.blocks == 1   ? ""
                                                                          : wait.blocks == 2 ? "_and_block"
                                                                                             : "_and_blocks");
    const std::string line = s.line_text(wait.place);
    TableRow row;
    row.cells = {word_cell(s.word(key, values)), word_cell(s.wait_text(wait), Tone::barrier),
                 recorded_cell(s.line_name(wait.place) + (line.empty() ? "" : "   " + line)),
                 computed_cell(with_thousands(static_cast<std::int64_t>(wait.threads)), s.formula("wait_threads"))};
    row.followed = i == 0;
    for (std::size_t r = 0; r < s.residents.size(); ++r)
      if (s.residents[r].block == wait.thread.block) {
        row.sets.emplace_back("crash.block", static_cast<double>(r));
        row.sets.emplace_back("crash.warp", static_cast<double>(wait.thread.warp - s.residents[r].block->warps.data()));
      }
    table.rows.push_back(std::move(row));
  }
  return {1, {{s.word("head_waits"), 1, std::move(table)}}, true};
}

Panel code_panel_of(const CrashScene& s, const std::optional<CodePlace>& place, std::size_t lines,
                    std::string_view mark) {
  CodePicture picture;
  picture.decoded = true;
  picture.columns.push_back(source_around(s, place, lines));
  picture.columns.push_back(machine_code_around(s, place, lines, mark));
  return {"", 1, std::move(picture)};
}

}  // namespace warpwalk::story
