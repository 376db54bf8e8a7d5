#pragma once

// The texts of a language as translators work with them: gettext's .po beside the text files of assets/narration.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::words {

/// A text and its translation.
struct Translation {
  std::string file, section, key;  ///< "tour.txt", "tour.call", "title"
  std::string comment;             ///< the comment above the English text
  std::string english;
  std::string text = {};  ///< empty: not translated
  bool fuzzy = false;  ///< of an English text that has changed since, or that a translator marked; not shown once it is
                       ///< written

  std::string context() const { return section + "/" + key; }
};

/// The texts of a language beside the English ones, in their order: those of the text files, then those of the lessons
/// in the folder beside. `folder`: assets/narration. Left out are the glossary and the words of other vendors, whose
/// keys are words of the language, and the order of the walks. On failure: one line.
base::Result<std::vector<Translation>> read_translation(const std::filesystem::path& folder, std::string_view language);

/// A .po file (UTF-8). Counts ("1 block", "3 blocks") are plural forms.
std::string po_text(const std::vector<Translation>& texts, std::string_view language);

/// Takes the translations of a .po file into `texts`. What was translated from another English text than today's
/// becomes fuzzy. `unknown`: contexts that no text has, one for each. On failure: a line with the place.
base::Result<void> take_po(std::string_view po, std::vector<Translation>& texts, std::vector<std::string>& unknown);

/// Writes the text files of a language, and which English texts they were translated from (english.tsv). Files without
/// a translated text are left out. On failure: one line.
base::Result<void> write_translation(const std::filesystem::path& folder, std::string_view language,
                                     const std::vector<Translation>& texts);

/// A placeholder of the English text that the translation lacks, or has besides: "{number}". Empty: none.
std::string odd_placeholder(const Translation& one);

}  // namespace warpwalk::words
