#include "core/run/record/disassembly.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/platform/toolchain/nvdisasm.h"
#include "core/trace/sass_lines.h"

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

/// The line of the file for each instruction of a section; 0 if there is none.
std::vector<std::pair<std::uint32_t, std::uint32_t>> lines_by_offset(std::string_view section, std::string_view file) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  trace::SassLines lines(file);
  each_line(section, [&](std::string_view line) {
    lines.read(line);
    if (const auto offset = offset_in(line)) rows.emplace_back(*offset, lines.line());
  });
  return rows;
}

}  // namespace

Disassembly read_disassembly(std::string_view with_source, std::string_view with_ptx, std::string_view entry,
                             std::string_view source_file) {
  Disassembly result;
  const std::string_view section = section_of(with_source, entry);
  result.sass = section;
  if (source_file.empty()) source_file = trace::sass_file(section);
  for (const auto& [offset, line] : lines_by_offset(section, source_file)) result.line_map.push_back({offset, 0, line});
  for (const auto& [offset, line] : lines_by_offset(section_of(with_ptx, entry), trace::sass_ptx_file)) {
    const auto row = std::ranges::lower_bound(result.line_map, offset, {}, &trace::LineMapRow::sass_offset);
    if (row != result.line_map.end() && row->sass_offset == offset) row->ptx_line = line;
  }
  return result;
}

base::Result<std::vector<Disassembly>> disassemble(std::string_view ptx, const std::set<std::string>& entries,
                                                   std::string_view compute_capability, std::string_view source_file,
                                                   const std::atomic<bool>* cancel) {
  const auto printed = platform::disassemble_ptx(ptx, entries, compute_capability, cancel);
  if (!printed) return base::Error{printed.error()};
  const auto& text = *printed;
  std::vector<Disassembly> result;
  for (const std::string& entry : entries) {
    result.push_back(read_disassembly(text.with_source, text.with_ptx, entry, source_file));
    if (result.back().sass.empty()) return base::Error{fmt::format("nvdisasm printed no code for {}", entry)};
  }
  return result;
}

}  // namespace warpwalk::run
