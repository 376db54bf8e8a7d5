#include "app/verbs/debug/commands.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/verbs/debug/command_words.h"
#include "app/verbs/debug/tiles.h"

namespace warpwalk::verbs {
namespace {

using debug::StepKind;
using debug::StepUnit;
using Output = base::Result<std::string>;

}  // namespace

bool DebugCommands::is_command(std::string_view line) { return debug_command(take_word(line)) != nullptr; }

std::string DebugCommands::help() {
  std::string text;
  for (const DebugCommand& command : debug_commands())
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
    const auto number = whole_word<std::uint64_t>(rest);
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
    const auto address = whole_word<std::uint64_t>(rest.substr(1));
    if (!address) return base::Error{fmt::format("break: `{}` is no address", rest)};
    made = &session().add_instruction(*address, condition, hits);
  } else if (const auto line = whole_word<std::uint32_t>(rest)) {
    const auto instruction = session().next_instruction();
    const std::uint32_t file = instruction ? session().code().line_of(*instruction).file : 0;
    made = &session().add_line(session().code().files()[file], *line, condition, hits);
  } else if (const auto in_file =
                 colon == Words::npos ? std::nullopt : whole_word<std::uint32_t>(rest.substr(colon + 1))) {
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
  const auto id = whole_word<int>(rest);
  if (!id || !session().remove(*id)) return base::Error{fmt::format("delete: no breakpoint {}", rest)};
  return std::string();
}

std::string DebugCommands::breakpoints() const {
  std::string text;
  for (const auto& breakpoint : session().breakpoints()) text += added(*breakpoint);
  return text.empty() ? "no breakpoints\n" : text;
}

Output DebugCommands::focus(Words rest) {
  debug::Focus focus = session().focus();
  const auto bad = [&] { return base::Error{"focus: write block B warp W lane L, or block (x,y,z) thread (x,y,z)"}; };
  while (!rest.empty()) {
    const std::string_view what = take_word(rest);
    const std::string_view number = take_word(rest);
    const auto numbers = three_numbers(number);
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

Output DebugCommands::set(Words rest) {
  Words after = rest;
  if (const Words word = take_word(after); word == "var" || word == "variable") rest = after;
  // The sign of the assignment: no part of ==, <=, >= or !=.
  std::size_t sign = rest.find('=');
  while (sign != Words::npos &&
         (rest.substr(sign + 1).starts_with('=') || (sign > 0 && Words("=<>!").find(rest[sign - 1]) != Words::npos)))
    sign = rest.find('=', sign + 1);
  if (sign == Words::npos) return base::Error{"set: write set var EXPRESSION = VALUE, such as set var x[3] = 1.5"};
  const Words expression = without_blanks(rest.substr(0, sign));
  const auto value = run_.set(expression, without_blanks(rest.substr(sign + 1)), session().focus(), frame_);
  if (!value) return base::Error{fmt::format("set: {}", value.error())};
  return fmt::format("{} = {}\n", expression, debug::text_of(*value));
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
      const auto number = whole_word<std::size_t>(take_word(rest));
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
  const auto cycle = whole_word<std::int64_t>(rest);
  if (!cycle || *cycle < 0) return base::Error{fmt::format("cycle: `{}` is no cycle", rest)};
  session().go_to_cycle(*cycle);
  return place();
}

Output DebugCommands::go_to_launch(std::string_view word, Words rest) {
  std::optional<std::uint64_t> number = run_.launch();
  if (number && word == "next-launch") ++*number;
  if (number && word == "launch" && !rest.empty()) {
    number = whole_word<std::uint64_t>(rest);
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

Output DebugCommands::execute(std::string_view line) {
  std::string_view rest = line;
  const std::string_view given = take_word(rest);
  if (given.empty() || given.starts_with('#')) return std::string();
  // p/x and the like.
  const std::size_t slash = given.find('/');
  const DebugCommand* const command = debug_command(given.substr(0, slash));
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
  if (word == "set") return set(rest);
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
