#include "app/document/compiled_parts.h"

#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/compiled/line_shares.h"

namespace warpwalk::document {

analysis::KernelParts parts_of_compiled(const compiled::Compiled& made) {
  if (made.kernels.empty()) return {};
  return [&made](std::string_view kernel) {
    std::vector<analysis::KernelPart> parts;
    for (const compiled::LineShare& line : compiled::line_shares(made, kernel)) {
      const std::string file = std::filesystem::path(line.python.file).filename().string();
      parts.push_back({fmt::format("{}({}): {}", file, line.python.line, line.python.function), line.share});
    }
    return parts;
  };
}

compiled::Compiled compiled_beside(const std::filesystem::path& walk, const compiled::ReadProgress& progress) {
  std::error_code error;
  const std::filesystem::path folder = compiled::folder_of_walk(walk);
  if (!std::filesystem::is_directory(folder, error)) return {};
  auto found = compiled::open_compiled(folder, progress);
  return found && *found ? std::move(**found) : compiled::Compiled{};
}

}  // namespace warpwalk::document
