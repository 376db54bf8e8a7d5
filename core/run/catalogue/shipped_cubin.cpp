#include "core/run/catalogue/shipped_cubin.h"

#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/platform/read_file.h"

namespace warpwalk::run {

std::string shipped_cubin(const std::filesystem::path& folder, std::string_view compute_capability,
                          std::string_view module) {
  std::string architecture = "sm_";
  for (const char c : compute_capability)
    if (c != '.') architecture += c;
  auto cubin = platform::read_compressed_file(folder / architecture / fmt::format("{}.cubin.gz", module));
  auto* const bytes = std::get_if<platform::Text>(&cubin);
  return bytes != nullptr ? std::move(bytes->text) : std::string();
}

}  // namespace warpwalk::run
