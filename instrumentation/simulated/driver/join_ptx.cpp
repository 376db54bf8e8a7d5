// Joins PTX modules as text, for cuLink...: there is nvlink only in CUDA's toolkit.
#include "instrumentation/simulated/driver/join_ptx.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "core/ptx/parse/parser.h"

namespace warpwalk::simulated {
namespace {

bool is_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$' || letter == '%';
}

/// Where a word stands in the text, from `from` on; npos: nowhere. Comments count as text.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) {
  for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_name(text[at - 1]);
    const bool ends = at + word.size() == text.size() || !is_name(text[at + word.size()]);
    if (begins && ends) return at;
  }
  return std::string_view::npos;
}

/// The value of a directive that fills a line: "8.0" of ".version 8.0".
std::string_view header_value(std::string_view ptx, std::string_view directive) {
  const std::size_t at = find_word(ptx, directive);
  if (at == std::string_view::npos) return {};
  const std::size_t first = ptx.find_first_not_of(" \t", at + directive.size());
  return first == std::string_view::npos ? std::string_view()
                                         : ptx.substr(first, ptx.find_first_of("\r\n", first) - first);
}

/// The text without the three directives of the header.
std::string without_header(std::string_view ptx) {
  std::string text(ptx);
  for (const std::string_view directive : {".version", ".target", ".address_size"}) {
    const std::size_t at = find_word(text, directive);
    if (at == std::string::npos) continue;
    const std::size_t end = text.find_first_of("\r\n", at);
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              end == std::string::npos ? text.end() : text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  return text;
}

int number_of(std::string_view value) {
  int number = 0;
  for (const char letter : value) {
    if (letter == ',') break;
    if (letter >= '0' && letter <= '9') number = number * 10 + (letter - '0');
  }
  return number;
}

/// Makes declarations of functions that another module defines those of the joined one: `.extern .func` becomes
/// `.visible .func`.
void resolve_functions(std::string& text, const std::set<std::string>& defined) {
  constexpr std::string_view keyword = ".extern";
  for (std::size_t at = find_word(text, keyword); at != std::string::npos; at = find_word(text, keyword, at + 1)) {
    const std::size_t end = text.find(';', at);
    if (end == std::string::npos) return;
    const std::string_view declaration = std::string_view(text).substr(at, end - at);
    if (find_word(declaration, ".func") == std::string_view::npos) continue;
    const bool known = std::ranges::any_of(
        defined, [&](const std::string& name) { return find_word(declaration, name) != std::string_view::npos; });
    if (known) text.replace(at, keyword.size(), ".visible");
  }
}

base::Result<ptx::Module> parse_module(std::string_view text) {
  auto parsed = ptx::parse(text);
  if (const auto* const wrong = std::get_if<ptx::Error>(&parsed); wrong != nullptr)
    return base::Error{fmt::format("line {} of the PTX: {}", wrong->line, wrong->message)};
  return std::move(std::get<ptx::Module>(parsed));
}

}  // namespace

base::Result<std::string> join_ptx(std::span<const std::string_view> modules) {
  std::set<std::string> defined;
  std::string_view version, target;
  for (const std::string_view module : modules) {
    const auto parsed = parse_module(module);
    if (!parsed) return base::Error{parsed.error()};
    for (const ptx::Function& function : parsed->functions) {
      if (!function.defined) continue;
      if (!defined.insert(function.name).second)
        return base::Error{fmt::format("{} is defined in two modules", function.name)};
    }
    if (const auto value = header_value(module, ".version"); number_of(value) > number_of(version)) version = value;
    if (const auto value = header_value(module, ".target"); number_of(value) > number_of(target)) target = value;
  }
  std::string joined = fmt::format(".version {}\n.target {}\n.address_size 64\n", version, target);
  for (const std::string_view module : modules) joined.append(without_header(module)).append("\n");
  resolve_functions(joined, defined);
  if (const auto good = parse_module(joined); !good) return base::Error{good.error()};
  return joined;
}

std::vector<std::string> undefined_functions(std::string_view ptx) {
  // System calls, which PTX declares like functions of other modules (CUDA's PTX interoperability guide).
  static constexpr std::array<std::string_view, 4> system_calls = {"vprintf", "malloc", "free", "__assertfail"};
  std::vector<std::string> missing;
  const auto parsed = parse_module(ptx);
  if (!parsed) return missing;
  for (const ptx::Function& function : parsed->functions) {
    if (function.defined || std::ranges::find(system_calls, function.name) != system_calls.end()) continue;
    // It is only declared if its name stands nowhere else.
    const std::size_t declared = find_word(ptx, function.name);
    if (declared != std::string_view::npos && find_word(ptx, function.name, declared + 1) != std::string_view::npos)
      missing.push_back(function.name);
  }
  return missing;
}

}  // namespace warpwalk::simulated
