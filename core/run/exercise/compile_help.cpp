#include "core/run/exercise/compile_help.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace warpwalk::run {
namespace {

// A student may write lines of any length; what helps is at their beginning.
constexpr std::size_t most_letters = 400;

// The header that a message says was not found: NVRTC's and clang's words.
std::string missing_header(const std::string& message) {
  static const std::regex words(R"((?:cannot open source file "([^"]+)\")|(?:'([^']+)' file not found))");
  std::smatch found;
  if (!std::regex_search(message, found, words)) return {};
  return found[1].matched ? found[1].str() : found[2].str();
}

// The name of the function that is declared in a line: "float twice(float x) {".
std::string declared_function(std::string_view line) {
  static const std::regex declaration(R"(([A-Za-z_]\w*)\s*\()");
  const std::string text(line.substr(0, most_letters));
  std::smatch found;
  return std::regex_search(text, found, declaration) ? found[1].str() : std::string();
}

// The name of the function for the CPU that clang's message is about.
std::string called_function(const std::string& message) {
  static const std::regex called(R"((?:to __host__ function(?: '([A-Za-z_]\w*)')?)|(?:call to '([A-Za-z_]\w*)'))");
  std::smatch found;
  if (!std::regex_search(message, found, called)) return {};
  return found[1].matched ? found[1].str() : found[2].matched ? found[2].str() : std::string();
}

}  // namespace

std::string compile_help(std::string_view source, std::string_view message, std::uint32_t line) {
  const std::string text(message.substr(0, most_letters));
  // A header that another header misses has no line in the source.
  if (const std::string header = missing_header(text); !header.empty()) {
    static constexpr std::string_view of_hosts[] = {"algorithm", "cassert", "chrono",   "cstdio", "cstdlib",  "cstring",
                                                    "fstream",   "iomanip", "iostream", "map",    "memory",   "random",
                                                    "sstream",   "stdio.h", "stdlib.h", "string", "string.h", "thread",
                                                    "time.h",    "vector",  "windows.h"};
    if (line == 0) return {};
    if (std::ranges::find(of_hosts, header) == std::end(of_hosts))
      return fmt::format("Line {} includes <{}>, which is not there.", line, header);
    const bool prints = header == "cstdio" || header == "stdio.h" || header == "iostream";
    return fmt::format("Line {} includes <{}>, which is for programs on the CPU. Delete the line{}.", line, header,
                       prints ? ": in a kernel, printf works without it" : "");
  }
  const bool nvrtc = text.find("without execution space annotations") != std::string::npos;
  const bool clang = text.find("__host__ function") != std::string::npos;
  if (!nvrtc && !clang) return {};
  const std::vector<std::string_view> lines = base::lines_of(source);
  std::string name = nvrtc && line > 0 && line <= lines.size() ? declared_function(lines[line - 1]) : std::string();
  if (name.empty()) name = called_function(text);
  if (name == "main")
    return fmt::format("Line {} begins main(), which is for the CPU. Hand in the kernel alone: the grader launches it.",
                       line);
  return fmt::format(
      "Line {}: {} is a function for the CPU. Write __device__ before {} so that the kernel can call it.", line,
      name.empty() ? "this" : name, name.empty() ? "it" : "its type,");
}

std::string kernel_help(std::string_view source, std::string_view kernel) {
  constexpr std::size_t most_names = 4;
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  constexpr std::string_view mark = "__global__";
  std::vector<std::string_view> names;
  for (std::size_t at = source.find(mark); at != std::string_view::npos; at = source.find(mark, at + mark.size())) {
    // The name is the last word before the parenthesis of the parameters; __launch_bounds__(256) and its like come
    // first.
    constexpr std::size_t most_head = 600, most_name = 60;
    const std::string_view head = source.substr(at + mark.size(), most_head);
    std::string_view name;
    for (std::size_t open = head.find('('); open != std::string_view::npos; open = head.find('(', open + 1)) {
      std::size_t end = open;
      while (end > 0 && !is_part(head[end - 1]) && head[end - 1] != ')' && head[end - 1] != '(') --end;
      std::size_t begin = end;
      while (begin > 0 && is_part(head[begin - 1])) --begin;
      name = head.substr(begin, std::min(end - begin, most_name));
      if (!name.empty() && !name.starts_with("__")) break;
      name = {};
    }
    if (name == kernel) return {};
    if (!name.empty() && names.size() < most_names) names.push_back(name);
  }
  if (names.empty())
    return fmt::format("The source has no kernel: it needs a function __global__ void {}(...).", kernel);
  std::string all;
  for (const std::string_view name : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
  return fmt::format("The kernel has to be called {}; the source has {}.", kernel, all);
}

}  // namespace warpwalk::run
