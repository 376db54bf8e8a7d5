#include "core/run/exercise/allowed_source.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/ptx/parse/parser.h"
#include "core/run/kernel_lab/diagnostic.h"

namespace warpwalk::run {
namespace {

/// A line as the preprocessor joins it (a backslash at the end continues it), and the first line of the source in it.
struct JoinedLine {
  std::string text;
  std::uint32_t line = 0;
};

std::vector<JoinedLine> joined_lines(std::string_view source) {
  std::vector<JoinedLine> joined;
  std::uint32_t number = 0;
  bool continues = false;
  for (std::string_view line : base::lines_of(source)) {
    ++number;
    // Compilers also take a backslash that spaces follow.
    std::string_view end = line;
    while (!end.empty() && (end.back() == ' ' || end.back() == '\t' || end.back() == '\r')) end.remove_suffix(1);
    const bool goes_on = end.ends_with('\\');
    if (goes_on) end.remove_suffix(1);
    if (!continues) joined.push_back({"", number});
    joined.back().text += goes_on ? end : line;
    continues = goes_on;
  }
  return joined;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether a text has a word, by itself.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// A name in angle brackets as headers of CUDA and C++ have them.
bool is_plain_header(std::string_view name) {
  const bool characters =
      std::ranges::all_of(name, [](char c) { return is_word(c) || c == '.' || c == '/' || c == '-'; });
  return characters && !name.empty() && is_word(name.front()) && name.find("..") == std::string_view::npos;
}

/// `#include <NAME>`, and perhaps a comment to the end of the line.
bool is_plain_include(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return false;
  line = trimmed(line.substr(1));
  constexpr std::string_view directive = "include";
  if (!line.starts_with(directive)) return false;
  line = trimmed(line.substr(directive.size()));
  const std::size_t close = line.find('>');
  if (!line.starts_with('<') || close == std::string_view::npos) return false;
  const std::string_view behind = trimmed(line.substr(close + 1));
  return is_plain_header(line.substr(1, close - 1)) && (behind.empty() || behind.starts_with("//"));
}

/// Why a line is not allowed; empty if it is.
std::string fault_of(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    const bool line_end = c == '\r' && i + 1 == line.size();
    if (c < ' ' && c != '\t' && !line_end) return "control characters are not allowed in a submission";
  }
  if (line.find("?\?") != std::string_view::npos)
    return "trigraphs (two question marks) are not allowed in a submission";
  if (line.find("R\"") != std::string_view::npos) return "raw strings (R\"...\") are not allowed in a submission";
  for (const std::string_view word : {"__has_include", "__has_include_next", "__has_embed", "_Pragma"})
    if (has_word(line, word)) return fmt::format("{} is not allowed in a submission", word);
  if (has_word(line, "pragma") && !has_word(line, "unroll")) return "the only #pragma of a submission is unroll";
  for (const std::string_view word : {"include", "include_next", "import", "embed"})
    if (has_word(line, word) && !(word == "include" && is_plain_include(line)))
      return fmt::format(
          "the word `{}` may stand only in lines that include a header of CUDA or C++, such as #include "
          "<cuda_fp16.h>",
          word);
  return {};
}

/// The variable of the module in global memory that an operand names; null if there is none.
const ptx::Variable* global_variable(const ptx::Module& module, const ptx::Operand& operand) {
  if (operand.kind == ptx::OperandKind::variable) {
    const ptx::Variable& variable = module.variables[static_cast<std::size_t>(operand.index)];
    const bool text = variable.name.starts_with("$str") || variable.name.starts_with("_$_str") ||
                      variable.name.starts_with("__unnamed") || variable.name.starts_with("__func__") ||
                      variable.name.starts_with("__PRETTY_FUNCTION__");
    if (variable.space == ptx::Space::global && !text) return &variable;
  }
  for (const ptx::Operand& element : operand.elements)
    if (const ptx::Variable* const found = global_variable(module, element)) return found;
  return nullptr;
}

}  // namespace

std::optional<ForbiddenText> forbidden_text(std::string_view source) {
  for (const JoinedLine& line : joined_lines(source))
    if (std::string fault = fault_of(line.text); !fault.empty()) return ForbiddenText{line.line, std::move(fault)};
  return {};
}

std::string lasting_variable(std::string_view ptx) {
  const auto parsed = ptx::parse(ptx);
  const auto* const module = std::get_if<ptx::Module>(&parsed);
  if (module == nullptr) return {};
  for (const ptx::Function& function : module->functions)
    for (const ptx::Instruction& instruction : function.instructions)
      for (const ptx::Operand& operand : instruction.operands)
        if (const ptx::Variable* const found = global_variable(*module, operand)) return found->name;
  return {};
}

}  // namespace warpwalk::run
