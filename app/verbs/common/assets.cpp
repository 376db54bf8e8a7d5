#include "app/verbs/common/assets.h"

#include <cstdlib>
#include <system_error>

#include "core/platform/executable_path.h"

namespace warpwalk::verbs {

std::optional<std::filesystem::path> find_assets() {
  std::error_code error;
  if (const char* named = std::getenv("WARPWALK_ASSETS"); named != nullptr && *named != '\0')
    return std::filesystem::path(named);
  const std::filesystem::path folder = platform::executable_path().parent_path();
  // Relative to build/release, PREFIX/bin, or the folder of a copied tree.
  for (const char* relative : {"../../assets", "../share/warpwalk", "assets", "../assets", "../../../assets"}) {
    const std::filesystem::path candidate = (folder / relative).lexically_normal();
    if (std::filesystem::is_directory(candidate / "narration", error)) return candidate;
  }
  return {};
}

std::filesystem::path find_page() {
  std::error_code error;
  const std::filesystem::path folder = platform::executable_path().parent_path();
  for (const char* const relative : {"../browser/warpwalk.html", "../share/warpwalk/warpwalk.html"})
    if (const auto candidate = (folder / relative).lexically_normal(); std::filesystem::exists(candidate, error))
      return candidate;
  return {};
}

std::optional<std::filesystem::path> find_libraries() {
  std::error_code error;
  const std::filesystem::path folder = platform::executable_path().parent_path();
  for (const char* const relative : {".", "../lib/warpwalk"})
    if (const auto candidate = (folder / relative).lexically_normal();
        std::filesystem::exists(candidate / "libwarpwalk_inject.so", error))
      return candidate;
  return {};
}

}  // namespace warpwalk::verbs
