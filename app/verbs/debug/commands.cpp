#include "app/verbs/debug/commands.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include <fmt/format.h>

#include "app/verbs/debug/barriers.h"
#include "app/verbs/debug/tiles.h"
#include "core/base/text.h"
#include "core/gpu/timing/stall_reason.h"
#include "core/platform/read_file.h"

namespace warpwalk::verbs {
namespace {

using debug::StepKind;
using debug::StepUnit;
using Output = base::Result<std::string>;

struct Command {
  std::string_view word, shorter, help;
};
constexpr Command commands[] = {
    {"break", "b", "FILE:LINE, LINE, FUNCTION or *ADDRESS [if CONDITION] [hits RULE]: stop there, in any thread"},
    {"watch", "", "EXPRESSION [if CONDITION]: stop where its memory, or a register of this thread, changes"},
    {"rwatch", "", "the same where it is read"},
    {"awatch", "", "the same where it is read or written"},
    {"catch", "", "KIND or all: stop at what the sanitizer finds, such as shared_race"},
    {"delete", "d", "[NUMBER]: remove a breakpoint, or all"},
    {"run", "r", "from the beginning to the first breakpoint"},
    {"start", "", "to the beginning"},
    {"continue", "c", "to the next breakpoint, or the end"},
    {"reverse-continue", "rc", "back to the breakpoint before, or the beginning"},
    {"step", "s", "[N]: to the next line of this thread, into functions"},
    {"next", "n", "[N]: the same, over functions"},
    {"finish", "fin", "out of the function"},
    {"stepi", "si", "[N]: to the next instruction of this thread"},
    {"nexti", "ni", "[N]: the same, over calls"},
    {"reverse-step", "rs", "[N]: back to the line before"},
    {"reverse-next", "rn", "[N]: back over functions"},
    {"reverse-finish", "", "back to where the function was called"},
    {"reverse-stepi", "rsi", "[N]: back to the instruction before"},
    {"reverse-nexti", "rni", "[N]: back over calls"},
    {"cycle", "", "N: go to a cycle"},
    {"launch", "", "N: debug this launch of a program or walk; continue runs on into the next"},
    {"next-launch", "nl", "debug the next launch"},
    {"focus", "thread", "[block B] [warp W] [lane L], or block (x,y,z) thread (x,y,z): look at a thread"},
    {"frame", "f", "[N], also up and down: whose variables names mean; bt lists the frames"},
    {"up", "", "the frame that called it"},
    {"down", "", "the frame that it called"},
    {"backtrace", "bt", "the functions that this thread is in"},
    {"where", "", "the same"},
    {"info", "i",
     "warps, breakpoints, registers [NAME], args, blocks, barriers, line or locals; of Triton: tiles, nan, outside, "
     "stores"},
    {"print", "p", "[/x] EXPRESSION: a[3], f32(R4), threadIdx.x, ((float*)shared)[7]"},
    {"lanes", "", "EXPRESSION: its value in each lane of this warp"},
    {"who", "", "[-go] [-nan] EXPRESSION, -read N or -address: what wrote it, and what that read; -go goes there"},
    {"list", "l", "the source around the line"},
    {"disassemble", "disas", "the instructions around the next one"},
    {"help", "h", "these commands"},
    {"quit", "q", "end"},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

const Command* command_of(std::string_view word) {
  const Command* shortened = nullptr;
  for (const Command& command : commands) {
    if (word == command.word || (!command.shorter.empty() && word == command.shorter)) return &command;
    if (!word.empty() && command.word.starts_with(word) && shortened == nullptr) shortened = &command;
  }
  return shortened;
}

template <class T>
std::optional<T> whole(std::string_view text) {
  T number = 0;
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return number;
}

/// "(1,0,0)" or "1,0" or "1".
std::optional<std::array<std::uint32_t, 3>> three(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::array<std::uint32_t, 3> numbers{};
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto number = whole<std::uint32_t>(trimmed(text.substr(0, comma)));
    if (!number) return {};
    numbers[i] = *number;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return text.empty() ? std::optional(numbers) : std::nullopt;
}

/// Takes "if CONDITION" and "hits RULE" off the end.
std::pair<std::string_view, std::string_view> take_conditions(std::string_view& rest) {
  std::string_view condition, hits;
  if (const std::size_t at = rest.find(" hits "); at != std::string_view::npos) {
    hits = trimmed(rest.substr(at + 6));
    rest = trimmed(rest.substr(0, at));
  }
  if (const std::size_t at = rest.find(" if "); at != std::string_view::npos) {
    condition = trimmed(rest.substr(at + 4));
    rest = trimmed(rest.substr(0, at));
  }
  return {condition, hits};
}

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

bool DebugCommands::is_command(std::string_view line) { return command_of(take_word(line)) != nullptr; }

std::string DebugCommands::help() {
  std::string text;
  for (const Command& command : commands)
    text += fmt::format("{:<18}{:<8}{}\n", command.word, command.shorter, command.help);
  return text;
}

std::string DebugCommands::place() {
  const debug::Stop& stop = session().stop();
  std::string text = stop.text.empty() ? std::string() : stop.text + "\n";
  const auto instruction = session().next_instruction();
  text += fmt::format("cycle {}, {}", session().cycle(), session().thread_text(session().focus()));
  if (!instruction) return text + "\n";
  const auto stack = session().stack();
  const debug::CodeLine at = stack.empty() ? session().code().line_of(*instruction) : stack.front().code.at;
  text += fmt::format(", at {}: {}\n", session().place_text(*instruction), session().code().text_of(*instruction));
  return text + source_line(at);
}

Output DebugCommands::move(std::string_view word, Words rest) {
  std::uint64_t times = 1;
  if (!rest.empty()) {
    const auto number = whole<std::uint64_t>(rest);
    if (!number || *number == 0 || *number > 1'000'000)
      return base::Error{fmt::format("{}: `{}` is no count", word, rest)};
    times = *number;
  }
  const bool forward = !word.starts_with("reverse-");
  if (!forward) word.remove_prefix(8);
  for (std::uint64_t i = 0; i < times; ++i) {
    if (word == "continue" && forward)
      run_.run_on();
    else if (word == "continue")
      session().run(false);
    else if (word == "step")
      session().step(StepKind::in, StepUnit::line, forward);
    else if (word == "next")
      session().step(StepKind::over, StepUnit::line, forward);
    else if (word == "finish")
      session().step(StepKind::out, StepUnit::line, forward);
    else if (word == "stepi")
      session().step(StepKind::in, StepUnit::instruction, forward);
    else
      session().step(StepKind::over, StepUnit::instruction, forward);
    const debug::StopReason reason = session().stop().reason;
    if (reason == debug::StopReason::end || reason == debug::StopReason::beginning ||
        reason == debug::StopReason::thread_end)
      break;
  }
  return place();
}

std::string DebugCommands::added(const debug::Breakpoint& breakpoint) const {
  using Kind = debug::Breakpoint::Kind;
  const auto file = [&] {
    const std::string& name = session().code().files()[breakpoint.file_index];
    return name.substr(name.find_last_of('/') + 1);
  };
  std::string text;
  switch (breakpoint.kind) {
    case Kind::line: text = fmt::format("Breakpoint {} at {}:{}", breakpoint.id, file(), breakpoint.line); break;
    case Kind::function: text = fmt::format("Breakpoint {} at function {}", breakpoint.id, breakpoint.name); break;
    case Kind::instruction:
      text =
          fmt::format("Breakpoint {} at {}", breakpoint.id, session().code().text_of(breakpoint.instructions.front()));
      break;
    case Kind::data:
      text = fmt::format("{} {}: {}",
                         breakpoint.access == debug::Breakpoint::Access::change ? "Watchpoint"
                         : breakpoint.access == debug::Breakpoint::Access::read ? "Read watchpoint"
                                                                                : "Access watchpoint",
                         breakpoint.id, breakpoint.name);
      break;
    case Kind::exception: text = fmt::format("Catchpoint {} ({})", breakpoint.id, breakpoint.name); break;
  }
  if (!breakpoint.condition_text.empty()) text += fmt::format(" if {}", breakpoint.condition_text);
  if (!breakpoint.hits_text.empty()) text += fmt::format(" hits {}", breakpoint.hits_text);
  return text + "\n";
}

Output DebugCommands::add_break(Words rest) {
  auto [condition, hits] = take_conditions(rest);
  const debug::Breakpoint* made = nullptr;
  const std::size_t colon = rest.rfind(':');
  if (rest.empty()) return base::Error{"break: write FILE:LINE, LINE, FUNCTION or *ADDRESS"};
  if (rest.starts_with('*')) {
    const auto address = whole<std::uint64_t>(rest.substr(1));
    if (!address) return base::Error{fmt::format("break: `{}` is no address", rest)};
    made = &session().add_instruction(*address, condition, hits);
  } else if (const auto line = whole<std::uint32_t>(rest)) {
    const auto instruction = session().next_instruction();
    const std::uint32_t file = instruction ? session().code().line_of(*instruction).file : 0;
    made = &session().add_line(session().code().files()[file], *line, condition, hits);
  } else if (const auto in_file = colon == Words::npos ? std::nullopt : whole<std::uint32_t>(rest.substr(colon + 1))) {
    made = &session().add_line(rest.substr(0, colon), *in_file, condition, hits);
  } else {
    made = &session().add_function(rest, condition, hits);
  }
  if (made->verified) return added(*made);
  // Another launch of the program may have the place.
  if (run_.launch() && (made->condition_text.empty() || made->condition))
    return fmt::format("Breakpoint {} is in no code of this launch; it holds for launches that have {}\n", made->id,
                       rest);
  const std::string message = made->message;
  session().remove(made->id);
  return base::Error{fmt::format("break {}: {}", rest, message)};
}

Output DebugCommands::watch(std::string_view word, Words rest) {
  using Access = debug::Breakpoint::Access;
  auto [condition, hits] = take_conditions(rest);
  const debug::Breakpoint& made = session().add_data(rest, 0,
                                                     word == "watch"    ? Access::change
                                                     : word == "rwatch" ? Access::read
                                                                        : Access::any,
                                                     condition, hits);
  if (made.verified) return added(made);
  const std::string message = made.message;
  session().remove(made.id);
  return base::Error{fmt::format("{} {}: {}", word, rest, message)};
}

Output DebugCommands::catch_finding(Words rest) {
  std::string text, known;
  for (int i = 0; i <= static_cast<int>(gpu::FindingKind::unsupported); ++i) {
    const auto kind = static_cast<gpu::FindingKind>(i);
    known += (known.empty() ? "" : ", ") + std::string(gpu::name_of(kind));
    if (rest == "all" || rest == gpu::name_of(kind)) text += added(session().add_exception(kind, ""));
  }
  if (text.empty()) return base::Error{fmt::format("catch: write all, or one of {}", known)};
  return text;
}

Output DebugCommands::remove(Words rest) {
  if (rest.empty()) {
    using Kind = debug::Breakpoint::Kind;
    for (const Kind kind : {Kind::line, Kind::function, Kind::instruction, Kind::data, Kind::exception})
      session().remove(kind);
    return std::string();
  }
  const auto id = whole<int>(rest);
  if (!id || !session().remove(*id)) return base::Error{fmt::format("delete: no breakpoint {}", rest)};
  return std::string();
}

std::string DebugCommands::breakpoints() const {
  std::string text;
  for (const auto& breakpoint : session().breakpoints()) text += added(*breakpoint);
  return text.empty() ? "no breakpoints\n" : text;
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

Output DebugCommands::choose_frame(std::string_view word, Words rest) {
  std::size_t frame = frame_;
  if (word == "up") ++frame;
  if (word == "down") frame -= std::min<std::size_t>(frame, 1);
  if (word == "frame" && !rest.empty()) {
    const auto number = whole<std::size_t>(rest);
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

Output DebugCommands::info(Words rest) {
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
      "outside, "
      "stores"};
}

Output DebugCommands::print(Words rest) {
  const bool hexadecimal = rest.starts_with("/x");
  if (hexadecimal) rest = trimmed(rest.substr(2));
  const auto value = session().evaluate(rest, session().focus(), frame_);
  if (!value && names_tile(session(), rest)) return tile_text(session(), rest);
  if (!value) return base::Error{fmt::format("print {}: {}", rest, value.error())};
  if (hexadecimal) return fmt::format("{} = {:#x}\n", rest, static_cast<std::uint64_t>(value->integer));
  return fmt::format("{} = {}\n", rest, debug::text_of(*value));
}

Output DebugCommands::lanes(Words rest) {
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

Output DebugCommands::focus(Words rest) {
  debug::Focus focus = session().focus();
  const auto bad = [&] { return base::Error{"focus: write block B warp W lane L, or block (x,y,z) thread (x,y,z)"}; };
  while (!rest.empty()) {
    const std::string_view what = take_word(rest);
    const std::string_view number = take_word(rest);
    const auto numbers = three(number);
    if (!numbers) return bad();
    const auto& [x, y, z] = *numbers;
    const auto& block = session().recording().before().block;
    if (what == "block") {
      focus.block = number.find(',') == Words::npos ? x : session().recording().block_number(*numbers);
    } else if (what == "warp") {
      focus.warp = x;
      focus.lane = 0;
    } else if (what == "lane") {
      focus.lane = static_cast<int>(std::min(x, 64U));
    } else if (what == "thread") {
      if (x >= block[0] || y >= block[1] || z >= block[2]) return base::Error{"focus: no such thread"};
      const std::uint32_t thread = x + block[0] * (y + block[1] * z);
      focus.warp = thread / 32;
      focus.lane = static_cast<int>(thread % 32);
    } else {
      return bad();
    }
  }
  if (auto done = session().set_focus(focus); !done) return base::Error{fmt::format("focus: {}", done.error())};
  return place();
}

Output DebugCommands::who(Words rest) {
  debug::WriterRequest request;
  bool go = false;
  Words option;
  while (rest.starts_with('-')) {
    option = take_word(rest);
    if (option == "-go") {
      go = true;
    } else if (option == "-nan") {
      request.kind = debug::WriterRequest::Kind::nan;
    } else if (option == "-address") {
      request.kind = debug::WriterRequest::Kind::address;
    } else if (option == "-read") {
      const auto number = whole<std::size_t>(take_word(rest));
      if (!number) return base::Error{"who -read: write the number of a read of the last answer"};
      request.kind = debug::WriterRequest::Kind::read;
      request.number = *number;
    } else {
      return base::Error{fmt::format("who: no option `{}`: there are -go, -nan, -read N and -address", option)};
    }
  }
  request.expression = rest;
  const auto answer = session().who_wrote(request);
  if (!answer && option.empty() && names_tile(session(), rest)) return tile_writer_text(session(), rest);
  if (!answer) return base::Error{fmt::format("who {}: {}", rest, answer.error())};
  const auto row = [&](const debug::WriterPlace& place) {
    return fmt::format("{} {}  {}, cycle {}{}", session().place_text(place.instruction),
                       session().code().text_of(place.instruction), session().thread_text(place.thread),
                       place.at ? fmt::format("{}", place.at->cycle) : "not simulated",
                       place.value.empty() ? "" : " = " + place.value);
  };
  std::string text;
  if (!answer->written()) {
    text = answer->was_input ? "not written before: it was in memory before the launch\n" : "never written before\n";
    if (answer->later) text += "written later: " + row(*answer->later) + "\n";
    return text;
  }
  const debug::WriterPlace& found = answer->steps[answer->found];
  text = row(found) + "\n" + source_line(session().code().line_of(found.instruction));
  for (std::size_t i = 0; i < answer->steps.size(); ++i)
    if (i != answer->found) text += fmt::format("through {}\n", row(answer->steps[i]));
  for (std::size_t i = 0; i < answer->reads.size(); ++i)
    text += fmt::format("read {}: {}{}, at {}\n", i, answer->reads[i].place,
                        answer->reads[i].value.empty() ? "" : " = " + answer->reads[i].value,
                        session().place_text(answer->steps[answer->reads[i].step].instruction));
  if (!answer->incomplete.empty()) text += answer->incomplete + "\n";
  if (go && found.at) {
    session().go_to(*found.at, found.thread.lane);
    text += place();
  }
  return text;
}

Output DebugCommands::go_to_cycle(Words rest) {
  const auto cycle = whole<std::int64_t>(rest);
  if (!cycle || *cycle < 0) return base::Error{fmt::format("cycle: `{}` is no cycle", rest)};
  session().go_to_cycle(*cycle);
  return place();
}

Output DebugCommands::go_to_launch(std::string_view word, Words rest) {
  std::optional<std::uint64_t> number = run_.launch();
  if (number && word == "next-launch") ++*number;
  if (number && word == "launch" && !rest.empty()) {
    number = whole<std::uint64_t>(rest);
    if (!number || *number == 0) return base::Error{fmt::format("launch: `{}` is no number", rest)};
  }
  if (!number) return base::Error{fmt::format("{}: there is one launch", word)};
  if (number != run_.launch())
    if (const auto done = run_.go_to_launch(*number); !done)
      return base::Error{fmt::format("{}: {}", word, done.error())};
  const debug::Recording& recording = session().recording();
  return fmt::format("launch {}: {}, {} blocks\n{}", *number,
                     recording.program().entry != nullptr ? recording.program().entry->name : "kernel",
                     recording.blocks(), place());
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

Output DebugCommands::execute(std::string_view line) {
  std::string_view rest = line;
  const std::string_view given = take_word(rest);
  if (given.empty() || given.starts_with('#')) return std::string();
  // p/x and the like.
  const std::size_t slash = given.find('/');
  const Command* const command = command_of(given.substr(0, slash));
  if (command == nullptr) return base::Error{fmt::format("no command `{}`; see help", given)};
  const std::string_view word = command->word;
  std::string with_format;
  if (slash != std::string_view::npos) {
    with_format = fmt::format("{} {}", given.substr(slash), rest);
    rest = with_format;
  }
  if (word == "break") return add_break(rest);
  if (word == "watch" || word == "rwatch" || word == "awatch") return watch(word, rest);
  if (word == "catch") return catch_finding(rest);
  if (word == "delete") return remove(rest);
  if (word == "who" || word == "cycle" || word == "focus" || word == "run" || word == "start") frame_ = 0;
  if (word == "run" || word == "start") {
    session().restart();
    if (word == "run") run_.run_on();
    return place();
  }
  if (word == "launch" || word == "next-launch") {
    frame_ = 0;
    return go_to_launch(word, rest);
  }
  if (word == "cycle") return go_to_cycle(rest);
  if (word == "focus") return focus(rest);
  if (word == "frame" || word == "up" || word == "down") return choose_frame(word, rest);
  if (word == "backtrace" || word == "where") return backtrace();
  if (word == "info") return info(rest);
  if (word == "print") return print(rest);
  if (word == "lanes") return lanes(rest);
  if (word == "who") return who(rest);
  if (word == "list") return list();
  if (word == "disassemble") return disassemble();
  if (word == "help") return help();
  if (word == "quit") {
    done_ = true;
    return std::string();
  }
  frame_ = 0;
  return move(word, rest);
}

}  // namespace warpwalk::verbs
