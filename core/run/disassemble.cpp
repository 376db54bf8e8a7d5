#include "core/run/disassemble.h"

#include <algorithm>
#include <charconv>
#include <future>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/run/child_program.h"
#include "core/run/tool.h"
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

/// The line of the file that each instruction of a section comes from: 0 where it comes from none.
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

std::variant<std::vector<Disassembly>, std::string> disassemble(std::string_view ptx,
                                                                const std::set<std::string>& entries,
                                                                std::string_view compute_capability,
                                                                std::string_view source_file,
                                                                const std::atomic<bool>* cancel) {
  const auto ptxas = find_tool("ptxas"), nvdisasm = find_tool("nvdisasm");
  if (!ptxas || !nvdisasm)
    return fmt::format("{} is neither in PATH nor in a CUDA toolkit", ptxas ? "nvdisasm" : "ptxas");
  std::string architecture = "-arch=sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  const TemporaryFile text(ptx), code("");
  if (!text.written()) return "the PTX cannot be written to the folder for temporary files, which ptxas reads it from";
  std::vector<std::string> words = {ptxas->string(), architecture, "--generate-line-info",
                                    text.name(),     "-o",         code.name()};
  for (const std::string& entry : entries) words.insert(words.end(), {"--entry", entry});
  const ChildLimits limits{{}, cancel};
  const auto compiled = run_child(std::move(words), limits);
  if (!compiled) return fmt::format("{} cannot be started", ptxas->string());
  if (compiled->cancelled) return fmt::format("{} was stopped", ptxas->string());
  if (!compiled->good())
    return fmt::format("{}: {}", ptxas->string(), compiled->printed.substr(0, compiled->printed.find('\n')));
  // Each takes half a second, whatever the code.
  auto printing_ptx = std::async(std::launch::async, [&] {
    return run_child({nvdisasm->string(), "-gp", "-c", code.name()}, limits);
  });
  const auto with_source = run_child({nvdisasm->string(), "-gi", "-c", code.name()}, limits);
  const auto with_ptx = printing_ptx.get();
  if (!with_source || !with_ptx) return fmt::format("{} cannot be started", nvdisasm->string());
  if (with_source->cancelled || with_ptx->cancelled) return fmt::format("{} was stopped", nvdisasm->string());
  std::vector<Disassembly> result;
  for (const std::string& entry : entries) {
    result.push_back(read_disassembly(with_source->printed, with_ptx->printed, entry, source_file));
    if (result.back().sass.empty()) return fmt::format("{} prints no code of {}", nvdisasm->string(), entry);
  }
  return result;
}

}  // namespace warpwalk::run
