#include "app/verbs/common/terminal.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "core/ops/expression/utf8.h"

namespace warpwalk::verbs {
namespace {

struct Limits {
  std::size_t word_bytes, line_bytes;
};
constexpr Limits message_limits{256, 2000};
/// Names of kernels can have several hundred bytes, and are to be found whole in a report.
constexpr Limits report_limits{1024, 4096};

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

/// Replaces the middle of a text, cutting at character boundaries.
std::string shortened(std::string_view text, std::size_t head, std::size_t tail) {
  while (head > 0 && continues_character(text[head])) --head;
  std::size_t from = text.size() - tail;
  while (from < text.size() && continues_character(text[from])) ++from;
  return fmt::format("{}...({} bytes)...{}", text.substr(0, head), from - head, text.substr(from));
}

/// Shortens the long words of a line, and then the line.
std::string shortened_line(std::string_view line, const Limits& limits) {
  std::string out;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    const std::string_view word = line.substr(at, end - at);
    out += word.size() > limits.word_bytes ? shortened(word, limits.word_bytes / 2, limits.word_bytes / 4)
                                           : std::string(word);
    if (end < line.size()) out.push_back(' ');
    at = end + 1;
  }
  return out.size() > limits.line_bytes ? shortened(out, limits.line_bytes * 3 / 4, limits.line_bytes / 4) : out;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = ops::character_bytes(text, at);
    if (bytes == 0) {
      out.push_back('?');
      ++at;
      continue;
    }
    const std::string_view character = text.substr(at, bytes);
    at += bytes;
    const std::uint32_t point = ops::code_point(character);
    const bool control = (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7f && point < 0xa0);
    out += control ? " " : character;
  }
  return out;
}

std::string terminal_line(std::string_view text) {
  std::string line = terminal_text(text);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
  return shortened_line(line, message_limits);
}

std::string terminal_report(std::string_view text) {
  const std::string clean = terminal_text(text);
  std::string out;
  for (std::size_t at = 0; at < clean.size();) {
    const std::size_t end = std::min(clean.find('\n', at), clean.size());
    out += shortened_line(std::string_view(clean).substr(at, end - at), report_limits);
    if (end < clean.size()) out.push_back('\n');
    at = end + 1;
  }
  return out;
}

void print_text(std::string_view text) { fmt::print("{}", terminal_text(text)); }

void print_report(std::string_view text) { fmt::print("{}", terminal_report(text)); }

void print_message(std::string_view line) { fmt::print(stderr, "{}\n", terminal_line(line)); }

}  // namespace warpwalk::verbs
