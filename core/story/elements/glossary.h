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

/// The terms of the narration's [glossary]: "warp | warps: 32 threads ...".
class Glossary {
 public:
  explicit Glossary(const Narration& narration);

  const std::vector<GlossaryEntry>& entries() const { return entries_; }
  /// The entries whose terms occur in the text as whole words, in the order of the text, each once. If two terms begin
  /// at the same place, the longer one is used. Case is ignored, except that a term in capitals (SM, L2) must be in
  /// capitals.
  std::vector<const GlossaryEntry*> terms_in(std::string_view text) const;

 private:
  std::vector<GlossaryEntry> entries_;
};

}  // namespace warpwalk::story
