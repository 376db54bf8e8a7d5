#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/verbs/description/command_line.h"

namespace warpwalk::verbs {
namespace {

std::vector<std::string> names_of(const std::vector<VerbText>& verbs) {
  std::vector<std::string> names;
  for (const VerbText& verb : verbs)
    if (!verb.name.empty()) names.push_back(verb.name);
  return names;
}

/// "-o" and "--output".
std::vector<std::string> spellings(const OptionText& option) {
  std::vector<std::string> all;
  if (!option.short_name.empty()) all.push_back("-" + option.short_name);
  if (!option.long_name.empty()) all.push_back("--" + option.long_name);
  return all;
}

/// Puts a backslash before each of these characters.
std::string with_backslashes(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// A text between single quotes of bash and zsh.
std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// ---- bash ----

std::string bash_case(const VerbText& verb) {
  std::vector<std::string> options, choices;
  for (const OptionText& option : verb.options)
    for (const std::string& spelling : spellings(option)) options.push_back(spelling);
  for (const ArgumentText& argument : verb.arguments)
    choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
  return fmt::format("    {}) options={}; words={} ;;\n", verb.name.empty() ? "*" : verb.name,
                     single_quoted(fmt::format("{}", fmt::join(options, " "))),
                     single_quoted(fmt::format("{}", fmt::join(choices, " "))));
}

/// Values of options that have choices: "simulate --accuracy) words='launches recorded' ;;".
std::string bash_values(const VerbText& verb) {
  std::string out;
  for (const OptionText& option : verb.options)
    for (const std::string& spelling : spellings(option))
      if (!option.choices.empty())
        out += fmt::format("    '{} {}') words={}; value=1 ;;\n", verb.name, spelling,
                           single_quoted(fmt::format("{}", fmt::join(option.choices, " "))));
  return out;
}

// ---- zsh ----

/// The values of an option or argument: its choices, or files.
std::string zsh_action(const std::vector<std::string>& choices) {
  return choices.empty() ? "_files" : fmt::format("({})", fmt::join(choices, " "));
}

std::string zsh_arguments(const VerbText& verb) {
  std::string out;
  for (const OptionText& option : verb.options)
    for (const std::string& spelling : spellings(option)) {
      std::string rule =
          fmt::format("{}{}[{}]", option.repeatable ? "*" : "", spelling, with_backslashes(option.meaning, "\\[]:"));
      if (!option.value.empty()) rule += fmt::format(":value:{}", zsh_action(option.choices));
      out += fmt::format(" \\\n        {}", single_quoted(rule));
    }
  std::vector<std::string> choices;
  for (const ArgumentText& argument : verb.arguments)
    choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
  return out + fmt::format(" \\\n        {}", single_quoted("*:argument:" + zsh_action(choices)));
}

}  // namespace

std::string bash_completion(const std::vector<VerbText>& verbs) {
  std::string cases, values, program;
  for (const VerbText& verb : verbs) {
    (verb.name.empty() ? program : cases) += bash_case(verb);
    values += bash_values(verb);
  }
  // With no word in COMPREPLY, `-o default` completes the names of files.
  return fmt::format(R"(# bash completion of warpwalk, written by: warpwalk completion bash
_warpwalk() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb= options= words= value= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${{COMP_WORDS[i]}} in
      {0}) verb=${{COMP_WORDS[i]}}; break ;;
    esac
  done
  case $verb in
{1}{2}  esac
  case "$verb $before" in
{3}  esac
  COMPREPLY=()
  if [[ -z $value && $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -z $value && $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{4}' -- "$word"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}}
complete -o default -F _warpwalk warpwalk
)",
                     fmt::join(names_of(verbs), "|"), cases, program, values, fmt::join(names_of(verbs), " "));
}

std::string zsh_completion(const std::vector<VerbText>& verbs) {
  std::string list, cases, program;
  for (const VerbText& verb : verbs) {
    if (verb.name.empty()) {
      program = fmt::format("    *)\n      _arguments -s{} ;;\n", zsh_arguments(verb));
      continue;
    }
    list += fmt::format("    {}\n", single_quoted(verb.name + ":" + with_backslashes(verb.meaning, "\\:")));
    cases += fmt::format("    {})\n      shift words; (( CURRENT-- ))\n      _arguments -s{} ;;\n", verb.name,
                         zsh_arguments(verb));
  }
  return fmt::format(R"(#compdef warpwalk
# zsh completion of warpwalk, written by: warpwalk completion zsh
_warpwalk() {{
  local -a verbs
  verbs=(
{}  )
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe verb verbs
    _files
    return
  fi
  case $words[2] in
{}{}  esac
}}
if [[ $funcstack[1] == _warpwalk ]]; then _warpwalk "$@"; else compdef _warpwalk warpwalk; fi
)",
                     list, cases, program);
}

std::string fish_completion(const std::vector<VerbText>& verbs) {
  const auto quoted = [](std::string_view text) { return "'" + with_backslashes(text, "\\'") + "'"; };
  const std::string any_verb = fmt::format("__fish_seen_subcommand_from {}", fmt::join(names_of(verbs), " "));
  std::string out = "# fish completion of warpwalk, written by: warpwalk completion fish\n";
  for (const VerbText& verb : verbs) {
    const std::string when = verb.name.empty() ? "not " + any_verb : "__fish_seen_subcommand_from " + verb.name;
    if (!verb.name.empty())
      out += fmt::format("complete -c warpwalk -n {} -a {} -d {}\n", quoted("not " + any_verb), verb.name,
                         quoted(verb.meaning));
    for (const ArgumentText& argument : verb.arguments)
      if (!argument.choices.empty())
        out += fmt::format("complete -c warpwalk -n {} -f -a {}\n", quoted(when),
                           quoted(fmt::format("{}", fmt::join(argument.choices, " "))));
    for (const OptionText& option : verb.options) {
      out += fmt::format("complete -c warpwalk -n {}", quoted(when));
      if (!option.long_name.empty()) out += " -l " + option.long_name;
      if (!option.short_name.empty()) out += " -s " + option.short_name;
      if (!option.choices.empty())
        out += fmt::format(" -x -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      else if (!option.value.empty())
        out += " -r -F";
      out += fmt::format(" -d {}\n", quoted(option.meaning));
    }
  }
  return out;
}

}  // namespace warpwalk::verbs
