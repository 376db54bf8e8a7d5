#include "app/pages/file_names.h"

#include <system_error>

#include <fmt/format.h>

namespace warpwalk::pages {

std::string file_part(std::string_view name) {
  std::string part;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    part += plain ? c : '_';
  }
  return part;
}

std::filesystem::path free_file_name(const std::filesystem::path& folder, const std::string& stem,
                                     std::string_view ending) {
  std::error_code ignored;
  for (int n = 1;; ++n) {
    const std::filesystem::path file =
        folder / (n == 1 ? fmt::format("{}{}", stem, ending) : fmt::format("{}-{}{}", stem, n, ending));
    if (!std::filesystem::exists(file, ignored)) return file;
  }
}

}  // namespace warpwalk::pages
