#include "core/story/pictures/code.h"

#include <utility>

#include <fmt/format.h>

namespace warpwalk::story {

std::string number_text(CodeKind kind, std::int64_t number) {
  return kind == CodeKind::sass ? fmt::format("{:04x}", number) : fmt::format("{}", number);
}

CodePicture::Column text_column(std::string name, std::vector<std::string> lines, std::size_t lit, double share) {
  CodePicture::Column column;
  column.share = share;
  column.name = std::move(name);
  for (std::string& line : lines) {
    const auto number = static_cast<std::int64_t>(column.window.lines.size()) + 1;
    column.window.lines.push_back({number, std::move(line), number, number == static_cast<std::int64_t>(lit)});
  }
  return column;
}

}  // namespace warpwalk::story
