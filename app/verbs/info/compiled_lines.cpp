#include "app/verbs/info/compiled_lines.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace warpwalk::verbs {
namespace {

using compiled::CodeFrame;
using compiled::CodeStage;
using compiled::KernelLines;
using compiled::LinkedLine;

using Counts = std::array<std::size_t, compiled::code_stages>;
constexpr std::array<std::string_view, compiled::code_stages> headings = {"TTIR", "TTGIR", "LLVM IR", "PTX", "SASS"};
constexpr std::size_t text_width = 64;

std::string row(std::string_view label, const Counts& counts, const Counts& totals) {
  std::string text = fmt::format("  {:<{}.{}}", base::one_line(std::string(label)), text_width, text_width);
  for (std::size_t stage = 0; stage < counts.size(); ++stage) {
    if (totals[stage] == 0)
      text += fmt::format("{:>9}", "");
    else if (counts[stage] == 0)
      text += fmt::format("{:>9}", "-");
    else
      text +=
          fmt::format("{:>7.1f} %", 100.0 * static_cast<double>(counts[stage]) / static_cast<double>(totals[stage]));
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string_view unindented(std::string_view line) {
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

/// "tl.sum, inlined: standard.py:293"; without the function's name where it is not recorded.
std::string inlined_label(const CodeFrame& frame) {
  const std::string place = fmt::format("{}:{}", compiled::file_name(frame.file), frame.line);
  return frame.function.empty() ? "inlined: " + place
                                : fmt::format("{}, inlined: {}", compiled::helper_name(frame.function), place);
}

void add(Counts& to, const LinkedLine& line) {
  for (std::size_t stage = 0; stage < to.size(); ++stage) to[stage] += line.places[stage].size();
}

}  // namespace

std::string kernel_lines_text(const KernelLines& lines, std::string_view kernel) {
  std::string text = fmt::format("  {:<{}}", "line of Python", text_width);
  for (const std::string_view heading : headings) text += fmt::format("{:>9}", heading);
  text += "\n";
  const std::string python = compiled::read_kernel_python(lines.place, kernel).value_or("");
  const std::vector<std::string_view> source = base::lines_of(python);
  Counts placed{};
  for (auto at = lines.lines.begin(); at != lines.lines.end();) {
    const auto end =
        std::find_if(at, lines.lines.end(), [&](const LinkedLine& line) { return line.python != at->python; });
    Counts whole{};
    std::map<std::string, Counts> inlined;
    for (auto line = at; line != end; ++line) {
      add(whole, *line);
      if (!line->inlined.empty()) add(inlined[inlined_label(line->inlined.back())], *line);
    }
    std::string label = "the kernel's line is not known";
    if (at->python.line > 0) {
      const auto line = static_cast<std::size_t>(at->python.line);
      label = fmt::format("{}:{}  {}", compiled::file_name(at->python.file), line,
                          line <= source.size() ? unindented(source[line - 1]) : "");
    }
    text += row(label, whole, lines.totals);
    for (const auto& [name, counts] : inlined) text += row("    " + name, counts, lines.totals);
    for (std::size_t stage = 0; stage < placed.size(); ++stage) placed[stage] += whole[stage];
    at = end;
  }
  Counts rest{};
  for (std::size_t stage = 0; stage < rest.size(); ++stage)
    rest[stage] = lines.totals[stage] - std::min(lines.totals[stage], placed[stage]);
  text += row("without a line", rest, lines.totals);
  if (!lines.sass_without_line.empty())
    text += fmt::format(
        "  SASS whose PTX has no line (merged or made by the compiler; NVIDIA's tools give it the line before): {} of "
        "{}\n",
        lines.sass_without_line.size(), lines.totals[static_cast<std::size_t>(CodeStage::sass)]);
  return text;
}

void write_kernel_lines(JsonWriter& json, const KernelLines& lines) {
  json.array("lines", lines.lines, [&](const LinkedLine& line) {
    json.object([&] {
      if (line.python.line > 0)
        json.object("python", [&] {
          json.text("file", line.python.file);
          json.integer("line", line.python.line);
        });
      else
        json.null("python");
      json.array("inlined", line.inlined, [&](const CodeFrame& frame) {
        json.object([&] {
          json.text("file", frame.file);
          json.integer("line", frame.line);
          json.text_or_null("function", frame.function);
        });
      });
      for (std::size_t stage = 0; stage < line.places.size(); ++stage)
        json.numbers_in_line(compiled::code_stage_names[stage].data(), line.places[stage]);
    });
  });
  json.numbers_in_line("sass_without_line", lines.sass_without_line);
}

}  // namespace warpwalk::verbs
