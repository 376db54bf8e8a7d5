#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/story/elements/narration.h"

namespace warpwalk::story {

/// A term and its meaning.
struct GlossaryEntry {
  std::string term;
  std::vector<std::string> spellings;  ///< the term and its other forms, as in [glossary]
  std::string meaning;
};

/// Where a text has a term.
struct GlossaryPlace {
  const GlossaryEntry* entry = nullptr;
  std::size_t from = 0, length = 0;  ///< in bytes
};

/// The terms of the narration's [glossary]: "warp | warps: 32 threads ...".
class Glossary {
 public:
  explicit Glossary(const Narration& narration);

  const std::vector<GlossaryEntry>& entries() const { return entries_; }
  /// Where the text has terms as whole words, each at its first place, in the order of the text. If two terms begin at
  /// the same place, the longer one is used. Case is ignored, except that a term in capitals (SM, L2) must be in
  /// capitals.
  std::vector<GlossaryPlace> places_in(std::string_view text) const;
  /// Their entries.
  std::vector<const GlossaryEntry*> terms_in(std::string_view text) const;
  /// "lane: One of the 32 places in a warp.", then, a line each, up to `most` of the terms that this meaning uses.
  std::string explained(const GlossaryEntry& entry, std::size_t most) const;

 private:
  std::vector<GlossaryEntry> entries_;
};

}  // namespace warpwalk::story
