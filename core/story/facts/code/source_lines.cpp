#include "core/story/facts/code/source_lines.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/gpu/exec/program.h"
#include "core/run/replay/history.h"
#include "core/story/facts/code/instruction_text.h"

namespace warpwalk::story {
namespace {

gpu::Finding place_of(const gpu::Program& program, std::uint32_t instruction) {
  gpu::Finding place;
  gpu::locate_finding(program, instruction, place);
  return place;
}

}  // namespace

std::optional<CodePicture::Column> source_column(const Narration& narration, const run::TimeTravel& travel,
                                                 const run::History& history, std::uint32_t instruction,
                                                 std::size_t shown) {
  if (history.source.empty()) return {};
  const gpu::Program& program = travel.program();
  // The file of the kernel is that of its first instruction with a line.
  gpu::Finding first;
  for (std::uint32_t i = 0; i < instruction_count(travel) && first.source_line == 0; ++i) first = place_of(program, i);
  if (first.source_line == 0) return {};
  const gpu::Finding place = place_of(program, instruction);
  const bool known = place.source_line != 0 && place.source_file == first.source_file;
  const auto line = static_cast<std::size_t>(known ? place.source_line : first.source_line);
  const std::vector<std::string_view> lines = base::lines_of(history.source);
  if (line > lines.size()) return {};

  CodePicture::Column column;
  column.kind = CodeKind::source;
  column.name = narration.text("translator.code", "source");
  const std::size_t count = std::min(shown, lines.size()), before = std::min(count / 2, line - 1);
  const std::size_t top = std::min(line - 1 - before, lines.size() - count), end = top + count;
  // Indentation that all of them have takes room and says nothing.
  std::size_t indent = std::string_view::npos;
  for (std::size_t i = top; i < end; ++i) indent = std::min(indent, lines[i].find_first_not_of(" \t"));
  for (std::size_t i = top; i < end; ++i) {
    const bool lit = known && i + 1 == line;
    if (i + 1 == line) column.window.focus = column.window.lines.size();
    const auto number = static_cast<std::int64_t>(i) + 1;
    column.window.lines.push_back(
        {number, std::string(lines[i].substr(std::min(indent, lines[i].size()))), number, lit});
  }
  column.window.all_lines = static_cast<std::int64_t>(lines.size());
  column.window.lit_lines = known ? 1 : 0;
  column.share = 1.3;
  return column;
}

}  // namespace warpwalk::story
