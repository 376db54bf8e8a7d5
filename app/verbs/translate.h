#pragma once

#include <filesystem>
#include <string>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct TranslateOptions {
  std::string language;               ///< a folder of assets/narration; empty: all
  std::filesystem::path export_to;    ///< a .po file to write; "-": stdout
  std::filesystem::path import_from;  ///< a .po file to read
};

/// Registers `warpwalk translate`.
Verb add_translate(CLI::App& app);

/// Reports what a language lacks, writes its texts as .po, or takes them from one. Returns the exit status: 0, or 2 for
/// bad input.
int translate(const TranslateOptions& options);

}  // namespace warpwalk::verbs
