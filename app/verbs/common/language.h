#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/words/narration.h"

namespace warpwalk::verbs {

/// The language whose texts are complete; others fall back to it.
inline constexpr std::string_view default_language = "en";

/// The languages of the assets, sorted: the folders of assets/narration.
std::vector<std::string> languages(const std::filesystem::path& assets);

/// All texts of a language. Texts that it lacks are taken from the default language. On failure: one line; if the
/// language does not exist it lists those that do.
base::Result<words::Narration> load_words(const std::filesystem::path& assets, const std::string& language);

}  // namespace warpwalk::verbs
