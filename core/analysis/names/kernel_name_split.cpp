#include "core/analysis/names/kernel_name.h"

namespace warpwalk::analysis {
namespace {

constexpr std::string_view anonymous_scope = "(anonymous namespace)";
constexpr std::string_view unnamed = "<unnamed>";

bool opens(char c) { return c == '<' || c == '(' || c == '{' || c == '['; }
bool closes(char c) { return c == '>' || c == ')' || c == '}' || c == ']'; }

// Returns the position after the bracket that closes the one at `open`. If there is none, returns the end and sets
// `balanced` to false.
std::size_t past(std::string_view name, std::size_t open, bool& balanced) {
  int depth = 0;
  for (std::size_t i = open; i < name.size(); ++i) {
    if (opens(name[i])) ++depth;
    if (closes(name[i]) && !(name[i] == '>' && i > 0 && name[i - 1] == '-')) --depth;
    if (depth == 0) return i + 1;
  }
  balanced = false;
  return name.size();
}

// The text between the commas of the outermost level, without surrounding spaces.
std::vector<std::pair<std::size_t, std::size_t>> arguments(std::string_view name, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const auto add = [&](std::size_t from, std::size_t to) {
    while (from < to && name[from] == ' ') ++from;
    while (to > from && name[to - 1] == ' ') --to;
    if (to > from) out.emplace_back(from, to);
  };
  int depth = 0;
  std::size_t start = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (opens(name[i])) ++depth;
    if (closes(name[i]) && !(name[i] == '>' && i > 0 && name[i - 1] == '-')) --depth;
    if (depth == 0 && name[i] == ',') {
      add(start, i);
      start = i + 1;
    }
  }
  add(start, end);
  return out;
}

}  // namespace

SplitName split_kernel_name(std::string_view name) {
  SplitName split;
  split.call = split.function_end = name.size();
  const auto inside = [&](std::size_t open, std::size_t after) {
    return arguments(name, open + 1, after > open + 1 && closes(name[after - 1]) ? after - 1 : after);
  };
  for (std::size_t i = 0; i < name.size();) {
    const std::string_view rest = name.substr(i);
    if (rest.starts_with(anonymous_scope)) {
      i += anonymous_scope.size();
    } else if (rest.starts_with(unnamed)) {
      i += unnamed.size();
    } else if (rest.starts_with("::")) {
      i += 2;
      split.function = i;
      split.template_arguments.clear();
      split.function_end = name.size();
    } else if (rest[0] == ' ') {
      split.scope = split.function = ++i;  // a return type ends here
      split.template_arguments.clear();
      split.function_end = name.size();
    } else if (rest.starts_with("operator")) {
      i += std::string_view("operator").size();
      if (name.substr(i).starts_with("()")) i += 2;
      while (i < name.size() && std::string_view("<>=!+-*/%^&|~").find(name[i]) != std::string_view::npos) ++i;
    } else if (rest[0] == '<' || rest[0] == '{' || rest[0] == '[') {
      const std::size_t after = past(name, i, split.balanced);
      if (rest[0] == '<') {
        split.function_end = i;
        split.template_arguments = inside(i, after);
      }
      i = after;
    } else if (rest[0] == '(') {
      const std::size_t after = past(name, i, split.balanced);
      if (name.substr(after).starts_with("::")) {  // a function that contains the kernel
        i = after;
        continue;
      }
      split.call = i;
      if (split.function_end == name.size()) split.function_end = i;
      split.call_arguments = inside(i, after);
      break;
    } else {
      split.balanced = split.balanced && !closes(rest[0]);
      ++i;
    }
  }
  if (split.function >= name.size()) split.function = 0;
  if (split.function_end < split.function) split.function_end = name.size();
  return split;
}

}  // namespace warpwalk::analysis
