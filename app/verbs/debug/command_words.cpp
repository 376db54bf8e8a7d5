#include "app/verbs/debug/command_words.h"

#include <algorithm>

namespace warpwalk::verbs {
namespace {

constexpr DebugCommand command_table[] = {
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
    {"set", "",
     "var EXPRESSION = VALUE: change an input of the launch that nothing before this stop has read or written"},
    {"list", "l", "the source around the line"},
    {"disassemble", "disas", "the instructions around the next one"},
    {"help", "h", "these commands"},
    {"quit", "q", "end"},
};

}  // namespace

std::span<const DebugCommand> debug_commands() { return command_table; }

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

std::string_view take_word(std::string_view& text) {
  text = without_blanks(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = without_blanks(text.substr(end));
  return word;
}

const DebugCommand* debug_command(std::string_view word) {
  const DebugCommand* shortened = nullptr;
  for (const DebugCommand& command : command_table) {
    if (word == command.word || (!command.shorter.empty() && word == command.shorter)) return &command;
    if (!word.empty() && command.word.starts_with(word) && shortened == nullptr) shortened = &command;
  }
  return shortened;
}

std::optional<std::array<std::uint32_t, 3>> three_numbers(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::array<std::uint32_t, 3> numbers{};
  for (std::size_t i = 0; i < 3 && !text.empty(); ++i) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto number = whole_word<std::uint32_t>(without_blanks(text.substr(0, comma)));
    if (!number) return {};
    numbers[i] = *number;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return text.empty() ? std::optional(numbers) : std::nullopt;
}

std::pair<std::string_view, std::string_view> take_conditions(std::string_view& rest) {
  std::string_view condition, hits;
  if (const std::size_t at = rest.find(" hits "); at != std::string_view::npos) {
    hits = without_blanks(rest.substr(at + 6));
    rest = without_blanks(rest.substr(0, at));
  }
  if (const std::size_t at = rest.find(" if "); at != std::string_view::npos) {
    condition = without_blanks(rest.substr(at + 4));
    rest = without_blanks(rest.substr(0, at));
  }
  return {condition, hits};
}

}  // namespace warpwalk::verbs
