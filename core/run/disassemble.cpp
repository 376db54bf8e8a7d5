#include "core/run/disassemble.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/run/child_program.h"
#include "core/run/tool.h"

namespace warpwalk::run {
namespace {

/// The entry's section, up to the next one.
std::string_view section_of(std::string_view printed, std::string_view entry) {
  const std::size_t begin = printed.find(fmt::format("\n.text.{}:\n", entry));
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = printed.substr(begin + 1);
  return rest.substr(0, rest.find("\n//----"));
}

template <class F>
void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    f(line);
  }
}

/// 7 in `//## File "relu.cu", line 7`; with inlined code, the innermost place comes first.
std::optional<std::uint32_t> line_comment(std::string_view line) {
  const std::size_t begin = line.find("//## File ");
  const std::size_t at = begin == std::string_view::npos ? begin : line.find("\", line ", begin);
  if (at == std::string_view::npos) return {};
  const char* const digits = line.data() + at + std::string_view("\", line ").size();
  std::uint32_t number = 0;
  if (std::from_chars(digits, line.data() + line.size(), number).ec != std::errc()) return {};
  return number;
}

/// 0x40 in `        /*0040*/                   IMAD R7, R7, UR4, R0 ;`
std::optional<std::uint32_t> offset_in(std::string_view line) {
  const std::size_t begin = line.find("/*");
  if (begin == std::string_view::npos || line.substr(0, begin).find_first_not_of(" \t") != std::string_view::npos)
    return {};
  std::uint32_t offset = 0;
  const auto [end, error] = std::from_chars(line.data() + begin + 2, line.data() + line.size(), offset, 16);
  if (error != std::errc() || !line.substr(static_cast<std::size_t>(end - line.data())).starts_with("*/")) return {};
  return offset;
}

/// The line that holds at each instruction of a section: 0 before the first comment.
std::vector<std::pair<std::uint32_t, std::uint32_t>> lines_by_offset(std::string_view section) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  std::uint32_t current = 0;
  each_line(section, [&](std::string_view line) {
    if (const auto number = line_comment(line)) current = *number;
    if (const auto offset = offset_in(line)) rows.emplace_back(*offset, current);
  });
  return rows;
}

}  // namespace

Disassembly read_disassembly(std::string_view with_source, std::string_view with_ptx, std::string_view entry) {
  Disassembly result;
  const std::string_view section = section_of(with_source, entry);
  result.sass = section;
  for (const auto& [offset, line] : lines_by_offset(section)) result.line_map.push_back({offset, 0, line});
  for (const auto& [offset, line] : lines_by_offset(section_of(with_ptx, entry))) {
    const auto row = std::ranges::lower_bound(result.line_map, offset, {}, &trace::LineMapRow::sass_offset);
    if (row != result.line_map.end() && row->sass_offset == offset) row->ptx_line = line;
  }
  return result;
}

std::variant<Disassembly, std::string> disassemble(std::string_view ptx, std::string_view entry,
                                                   std::string_view compute_capability) {
  const auto ptxas = find_tool("ptxas"), nvdisasm = find_tool("nvdisasm");
  if (!ptxas || !nvdisasm)
    return fmt::format("{} is neither in PATH nor in a CUDA toolkit", ptxas ? "nvdisasm" : "ptxas");
  std::string architecture = "-arch=sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  const TemporaryFile text(ptx), code("");
  if (!text.written()) return "the PTX cannot be written to the folder for temporary files, which ptxas reads it from";
  const auto compiled =
      run_child({ptxas->string(), architecture, "--generate-line-info", text.name(), "-o", code.name()});
  if (!compiled) return fmt::format("{} cannot be started", ptxas->string());
  if (!compiled->good())
    return fmt::format("{}: {}", ptxas->string(), compiled->printed.substr(0, compiled->printed.find('\n')));
  const auto with_source = run_child({nvdisasm->string(), "-g", "-c", code.name()});
  const auto with_ptx = run_child({nvdisasm->string(), "-gp", "-c", code.name()});
  if (!with_source || !with_ptx) return fmt::format("{} cannot be started", nvdisasm->string());
  Disassembly result = read_disassembly(with_source->printed, with_ptx->printed, entry);
  if (result.sass.empty()) return fmt::format("{} prints no code of {}", nvdisasm->string(), entry);
  return result;
}

}  // namespace warpwalk::run
