#include "app/verbs/common/language.h"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpwalk::verbs {

std::vector<std::string> languages(const std::filesystem::path& assets) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator at(assets / "narration", error);
       !error && at != std::filesystem::directory_iterator(); at.increment(error))
    if (at->is_directory(error)) names.push_back(at->path().filename().string());
  std::ranges::sort(names);
  return names;
}

base::Result<words::Narration> load_words(const std::filesystem::path& assets, const std::string& language) {
  const std::filesystem::path folder = assets / "narration";
  auto complete = words::Narration::load(folder / default_language);
  if (!complete || language == default_language) return complete;
  if (const auto all = languages(assets); std::ranges::find(all, language) == all.end())
    return base::Error{fmt::format("--language {}: unknown language; available: {}", language, fmt::join(all, ", "))};
  auto words = words::Narration::load(folder / language);
  if (words) words->add_missing(*complete);
  return words;
}

}  // namespace warpwalk::verbs
