#include "core/run/exercise/same_code.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>

#include <fmt/format.h>

namespace warpwalk::run {
namespace {

// Names that the language, CUDA and its vectors give; all others are a person's choice.
constexpr auto given_names = std::to_array<std::string_view>({"__device__",
                                                              "__global__",
                                                              "__launch_bounds__",
                                                              "__restrict__",
                                                              "__shared__",
                                                              "__syncthreads",
                                                              "__syncwarp",
                                                              "atomicAdd",
                                                              "auto",
                                                              "blockDim",
                                                              "blockIdx",
                                                              "bool",
                                                              "break",
                                                              "case",
                                                              "char",
                                                              "const",
                                                              "constexpr",
                                                              "continue",
                                                              "define",
                                                              "do",
                                                              "double",
                                                              "else",
                                                              "extern",
                                                              "false",
                                                              "float",
                                                              "float2",
                                                              "float4",
                                                              "for",
                                                              "gridDim",
                                                              "half",
                                                              "if",
                                                              "include",
                                                              "inline",
                                                              "int",
                                                              "long",
                                                              "max",
                                                              "min",
                                                              "pragma",
                                                              "return",
                                                              "short",
                                                              "sizeof",
                                                              "static",
                                                              "struct",
                                                              "switch",
                                                              "template",
                                                              "threadIdx",
                                                              "true",
                                                              "typename",
                                                              "unroll",
                                                              "unsigned",
                                                              "using",
                                                              "void",
                                                              "volatile",
                                                              "w",
                                                              "warpSize",
                                                              "while",
                                                              "x",
                                                              "y",
                                                              "z"});

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The position behind a comment that begins here; `at` if none does.
std::size_t behind_comment(std::string_view source, std::size_t at) {
  const std::string_view rest = source.substr(at);
  if (rest.starts_with("//")) return std::min(source.find('\n', at), source.size());
  if (!rest.starts_with("/*")) return at;
  const std::size_t end = source.find("*/", at + 2);
  return end == std::string_view::npos ? source.size() : end + 2;
}

// The words that the source declares: they stand behind a type, and not behind a word such as `return`.
std::set<std::string_view> declared_words(std::string_view source) {
  static constexpr std::string_view no_types[] = {"return", "else", "case", "goto", "sizeof", "do", "throw"};
  std::set<std::string_view> words;
  bool behind_type = false;
  for (std::size_t at = 0; at < source.size();) {
    if (const std::size_t behind = behind_comment(source, at); behind != at) {
      at = behind;
    } else if (is_letter(source[at])) {
      std::size_t end = at;
      while (end < source.size() && is_part(source[end])) ++end;
      const std::string_view word = source.substr(at, end - at);
      if (behind_type) words.insert(word);
      behind_type = std::ranges::find(no_types, word) == std::end(no_types);
      at = end;
    } else {
      const char c = source[at++];
      if (std::isspace(static_cast<unsigned char>(c)) == 0 && c != '*' && c != '&' && c != '>') behind_type = false;
    }
  }
  return words;
}

}  // namespace

std::string code_form(std::string_view source) {
  std::string form;
  std::map<std::string_view, std::size_t> chosen;
  const std::set<std::string_view> declared = declared_words(source);
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (const std::size_t behind = behind_comment(source, at); behind != at) {
      at = behind;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
    } else if (is_letter(c)) {
      std::size_t end = at;
      while (end < source.size() && is_part(source[end])) ++end;
      const std::string_view word = source.substr(at, end - at);
      const bool member = at > 0 && source[at - 1] == '.';
      // x, y, z and w are names of a person but behind a point.
      const bool listed = std::ranges::find(given_names, word) != given_names.end() && (word.size() > 1 || member);
      // A function or a type of CUDA is not declared in the source; names behind a comma may be a person's.
      const bool called = end < source.size() &&
                          source.substr(end).find_first_not_of(" \t") != std::string_view::npos &&
                          source[end + source.substr(end).find_first_not_of(" \t")] == '(';
      const bool given =
          listed || (!declared.contains(word) && (called || word.starts_with("__") || word.ends_with("_t")));
      form +=
          given ? fmt::format("{} ", word) : fmt::format("${} ", chosen.try_emplace(word, chosen.size()).first->second);
      at = end;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (at < source.size() && (is_part(source[at]) || source[at] == '.')) form += source[at++];
      form += ' ';
    } else {
      form += c;
      ++at;
    }
  }
  return form;
}

std::vector<std::vector<std::size_t>> same_code(const std::vector<std::string_view>& sources,
                                                std::string_view starter) {
  std::map<std::string, std::vector<std::size_t>> forms;
  for (std::size_t i = 0; i < sources.size(); ++i)
    if (std::string form = code_form(sources[i]); !form.empty()) forms[std::move(form)].push_back(i);
  forms.erase(code_form(starter));
  std::vector<std::vector<std::size_t>> same(sources.size());
  for (const auto& [form, numbers] : forms)
    for (const std::size_t one : numbers)
      for (const std::size_t other : numbers)
        if (one != other) same[one].push_back(other);
  return same;
}

}  // namespace warpwalk::run
