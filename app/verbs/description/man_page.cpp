#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/description/command_line.h"

namespace warpwalk::verbs {
namespace {

/// A text as man(7) prints it: no character of it is a command.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string argument_usage(const ArgumentText& argument) {
  const std::string name = roff(argument.name) + (argument.repeatable ? "..." : "");
  return argument.required ? fmt::format("\\fI{}\\fR", name) : fmt::format("[\\fI{}\\fR]", name);
}

std::string usage_line(const VerbText& verb) {
  std::string line = "\\fBwarpwalk\\fR";
  if (!verb.name.empty()) line += fmt::format(" \\fB{}\\fR", roff(verb.name));
  if (!verb.options.empty()) line += " [\\fIOPTIONS\\fR]";
  for (const ArgumentText& argument : verb.arguments) line += " " + argument_usage(argument);
  return line;
}

std::string value_text(const OptionText& option) {
  if (!option.choices.empty())
    return fmt::format(" \\fI{}\\fR", roff(fmt::format("{}", fmt::join(option.choices, "|"))));
  return option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
}

std::string entries(const VerbText& verb) {
  std::string out;
  for (const ArgumentText& argument : verb.arguments)
    out += fmt::format(".TP\n\\fI{}\\fR\n{}\n", roff(argument.name), roff(argument.meaning));
  for (const OptionText& option : verb.options) {
    std::string names;
    if (!option.short_name.empty()) names += fmt::format("\\fB\\-{}\\fR", roff(option.short_name));
    if (!names.empty() && !option.long_name.empty()) names += ", ";
    if (!option.long_name.empty()) names += fmt::format("\\fB\\-\\-{}\\fR", roff(option.long_name));
    out += fmt::format(".TP\n{}{}\n{}\n", names, value_text(option), roff(option.meaning));
  }
  return out;
}

}  // namespace

std::string man_page(const std::vector<VerbText>& verbs, const std::string& version) {
  const VerbText& program = verbs.front();
  std::string out = fmt::format(".TH WARPWALK 1 \"\" \"warpwalk {}\"\n", roff(version));
  out += ".SH NAME\nwarpwalk \\- opens traces of GPU programs and walks a tensor operation from Python to warps\n";
  out += ".SH SYNOPSIS\n";
  for (const VerbText& verb : verbs) out += usage_line(verb) + "\n.br\n";
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(program.meaning));
  out += "Without a verb it opens a window; with one it works on the command line.\n";
  out += ".SH OPTIONS\n" + entries(program);
  out += ".SH VERBS\n";
  for (const VerbText& verb : verbs)
    if (!verb.name.empty())
      out +=
          fmt::format(".SS {}\n{}\n.PP\n{}.\n{}", roff(verb.name), usage_line(verb), roff(verb.meaning), entries(verb));
  out += ".SH EXIT STATUS\n";
  out += ".TP\n0\nSuccess.\n";
  out += ".TP\n1\nAn output differs, a kernel has an error, or a condition of \\-\\-fail\\-if holds.\n";
  out += ".TP\n2\nBad usage or input; one line on stderr names the problem, its place and the remedy.\n";
  return out;
}

}  // namespace warpwalk::verbs
