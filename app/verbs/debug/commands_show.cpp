// What the command line shows of a stop.
#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "app/verbs/debug/barriers.h"
#include "app/verbs/debug/command_words.h"
#include "app/verbs/debug/commands.h"
#include "app/verbs/debug/tiles.h"
#include "core/base/text.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/platform/read_file.h"

namespace warpwalk::verbs {
namespace {

using ShownOutput = base::Result<std::string>;

}  // namespace

std::string source_text(const debug::Session& session, std::uint32_t file) {
  const debug::CodeMap& code = session.code();
  if (code.is_listing(file)) return code.listing();
  if (const std::filesystem::path path = source_path(session, file); !path.empty())
    if (auto text = platform::read_text_file(path)) return text->text;
  const run::LoadedLaunch& loaded = session.recording().loaded();
  if (file < code.files().size() && code.files()[file] == loaded.module_file.string() && loaded.source.empty())
    return loaded.ptx;
  return loaded.source;
}

std::string DebugCommands::source_line(const debug::CodeLine& at) const {
  const std::string text = source_text(session(), at.file);
  const std::vector<std::string_view> lines = base::lines_of(text);
  if (at.line == 0 || at.line > lines.size()) return {};
  return fmt::format("{}\t{}\n", at.line, lines[at.line - 1]);
}

std::string DebugCommands::warps() {
  std::string text;
  const debug::Focus focus = session().focus();
  const std::uint32_t warps = session().recording().warps_per_block();
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    debug::Moment moment = session().moment({focus.block, warp, 0});
    const auto next = session().next_instruction(focus.block, warp);
    const gpu::WarpState* const state = moment.state();
    text += fmt::format("{} warp {:<3} lanes {:08x}  {:<16}", warp == focus.warp ? '*' : ' ', warp, moment.live_lanes(),
                        state == nullptr ? (next ? "not started" : "ended") : gpu::name_of(state->reason));
    if (next) text += fmt::format("  {}: {}", session().place_text(*next), session().code().text_of(*next));
    text += '\n';
  }
  return text;
}

std::string DebugCommands::registers(std::string_view name) {
  std::string text;
  debug::Moment moment = session().moment();
  if (moment.warp() == nullptr) return "no registers: the warp has not started or has ended\n";
  const auto lane = static_cast<std::size_t>(session().focus().lane);
  for (const debug::RegisterRow& row : moment.registers())
    if (name.empty() || row.name == name) {
      const std::uint64_t bits = row.lanes[lane];
      text += fmt::format("{:<10}{:#0{}x}", row.name, bits, 2 + 2 * std::min<int>(row.bytes, 8));
      if (const auto value = session().evaluate(row.name)) text += fmt::format("  {}", debug::text_of(*value));
      if (row.bytes == 4) text += fmt::format("  {}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      text += '\n';
    }
  for (const debug::RegisterRow& row : moment.predicates())
    if (name.empty() || row.name == name)
      text += fmt::format("{:<10}{}  lanes {:08x}\n", row.name, row.lanes[0] >> lane & 1, row.lanes[0]);
  return text;
}

std::string DebugCommands::locals() {
  debug::Moment moment = session().moment(session().focus(), frame_);
  std::string text;
  for (const debug::SourceVariables& block : moment.source_variables()) {
    text += block.scope + ":\n";
    for (const debug::SourceVariable& variable : block.variables) {
      const std::string value = variable.value ? debug::text_of(*variable.value) : std::string();
      const bool both = variable.value && !variable.note.empty();
      text += fmt::format("  {} {} = {}{}\n", variable.type, variable.name, value,
                          both ? fmt::format(" ({})", variable.note) : fmt::format("{}", variable.note));
    }
  }
  if (!text.empty()) return text;
  const std::string& absence = session().recording().source().absence();
  return (absence.empty() ? "no variables are in scope here" : absence) + "\n";
}

ShownOutput DebugCommands::choose_frame(std::string_view word, Words rest) {
  std::size_t frame = frame_;
  if (word == "up") ++frame;
  if (word == "down") frame -= std::min<std::size_t>(frame, 1);
  if (word == "frame" && !rest.empty()) {
    const auto number = whole_word<std::size_t>(rest);
    if (!number) return base::Error{fmt::format("frame: `{}` is no number", rest)};
    frame = *number;
  }
  const auto stack = session().stack();
  if (frame >= stack.size()) return base::Error{fmt::format("{}: no such frame; see bt", word)};
  frame_ = frame;
  const debug::CodeLine& at = stack[frame].code.at;
  return fmt::format("#{}  {} at {}:{}\n{}", frame, stack[frame].code.function, session().code().files()[at.file],
                     at.line, source_line(at));
}

ShownOutput DebugCommands::info(Words rest) {
  const std::string_view what = take_word(rest);
  using Kind = debug::Moment::Kind;
  if (what == "warps" || what == "threads") return warps();
  if (what == "breakpoints" || what == "b") return breakpoints();
  if (what == "registers" || what == "r") {
    std::string text = registers(rest);
    if (text.empty()) return base::Error{fmt::format("info registers: no register `{}`", rest)};
    return text;
  }
  if (what == "line" || what.empty()) return place();
  if (what == "locals") return locals();
  if (what == "blocks") {
    std::string text;
    for (const std::uint64_t block : session().resident_blocks()) {
      const auto id = session().recording().block_id(block);
      text += fmt::format("{} block {} ({},{},{}) on SM {}\n", block == session().focus().block ? '*' : ' ', block,
                          id[0], id[1], id[2], *session().recording().sm_of(block));
    }
    return text.empty() ? "no block is on an SM at this cycle\n" : text;
  }
  if (what == "args") {
    std::string text;
    for (const Kind kind : {Kind::parameter, Kind::buffer, Kind::shared, Kind::variable})
      for (const std::string& name : session().moment().names(kind))
        if (const auto value = session().evaluate(name)) text += fmt::format("{} = {}\n", name, debug::text_of(*value));
    return text;
  }
  if (what == "barriers") return barriers_text(session());
  if (what == "tiles") return tiles_text(session());
  if (what == "nan") return first_nan_text(session());
  if (what == "outside") return outside_text(session());
  if (what == "stores") return stores_text(session());
  return base::Error{
      "info: write warps, breakpoints, registers, args, blocks, barriers, line or locals; of Triton: tiles, nan, "
      "outside, stores"};
}

ShownOutput DebugCommands::print(Words rest) {
  const bool hexadecimal = rest.starts_with("/x");
  if (hexadecimal) rest = without_blanks(rest.substr(2));
  const auto value = session().evaluate(rest, session().focus(), frame_);
  if (!value && names_tile(session(), rest)) return tile_text(session(), rest);
  if (!value) return base::Error{fmt::format("print {}: {}", rest, value.error())};
  if (hexadecimal) return fmt::format("{} = {:#x}\n", rest, static_cast<std::uint64_t>(value->integer));
  return fmt::format("{} = {}\n", rest, debug::text_of(*value));
}

ShownOutput DebugCommands::lanes(Words rest) {
  std::string text;
  debug::Focus focus = session().focus();
  const std::uint32_t threads = session().recording().threads_per_block();
  for (focus.lane = 0; focus.lane < 32 && 32 * focus.warp + static_cast<std::uint32_t>(focus.lane) < threads;
       ++focus.lane) {
    const auto value = session().evaluate(rest, focus, frame_);
    if (!value) return base::Error{fmt::format("lanes {}: {}", rest, value.error())};
    text += fmt::format("lane {:<3} {}\n", focus.lane, debug::text_of(*value));
  }
  return text;
}

std::string DebugCommands::backtrace() {
  std::string text;
  std::size_t number = 0;
  for (const debug::StackFrame& frame : session().stack()) {
    const std::string& file = session().code().files()[frame.code.at.file];
    text += fmt::format("#{}  {} at {}:{}\n", number++, frame.code.function, file.substr(file.find_last_of('/') + 1),
                        frame.code.at.line);
  }
  return text.empty() ? "the thread has ended\n" : text;
}

std::string DebugCommands::list() {
  const auto stack = session().stack();
  if (stack.empty()) return "the thread has ended\n";
  const debug::CodeLine at = stack.front().code.at;
  const std::string all = source_text(session(), at.file);
  const std::vector<std::string_view> lines = base::lines_of(all);
  std::string text;
  for (std::size_t i = at.line > 6 ? at.line - 6 : 0; i < std::min<std::size_t>(lines.size(), at.line + 5U); ++i)
    text += fmt::format("{} {:<5} {}\n", i + 1 == at.line ? "=>" : "  ", i + 1, lines[i]);
  return text.empty() ? fmt::format("the file {} is not here\n", session().code().files()[at.file]) : text;
}

std::string DebugCommands::disassemble() {
  const auto next = session().next_instruction();
  const std::uint32_t at = next.value_or(0);
  std::string text;
  for (std::uint32_t i = at > 8 ? at - 8 : 0; i < std::min(session().code().size(), at + 9); ++i)
    text += fmt::format("{} {:04x}  {}\n", next && i == at ? "=>" : "  ", session().code().address_of(i),
                        session().code().text_of(i));
  return text;
}

}  // namespace warpwalk::verbs
