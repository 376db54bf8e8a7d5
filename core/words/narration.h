#pragma once

// This folder puts what core/analysis finds into sentences, in the words of the narration, and figures into columns. It
// has no pictures and no stages, which are in core/story.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/quantity_text.h"
#include "core/base/result.h"

// Narration::Values, compiled once, in narration.cpp.
extern template class std::map<std::string, std::string, std::less<>>;

namespace warpwalk::words {

/// The sentences of all scenes, from a text file that a teacher can edit or translate:
///
///     # a comment
///     [boardroom.launch]
///     title: The driver takes the order
///     sentence: The call takes {launch_time}.
///
/// A line that starts with white space continues the line above.
class Narration {
 public:
  using Values = std::map<std::string, std::string, std::less<>>;

  /// Reads a file, or all files of a folder that end in .txt. On failure: one line with the file, the line and what to
  /// do.
  static base::Result<Narration> load(const std::filesystem::path& path);
  static base::Result<Narration> parse(std::string_view text, std::string_view file_name);

  /// The text under [section] key, with each {name} replaced. A missing text or value is shown in its place.
  std::string text(std::string_view section, std::string_view key, const Values& values = {}) const;
  bool has(std::string_view section, std::string_view key) const;
  /// Takes over the texts of `other` that are missing here. The section `whole` is taken over only if it is missing
  /// completely: its keys are words themselves.
  void add_missing(const Narration& other, std::string_view whole = "glossary");
  /// The same texts in the words of another vendor of GPUs, such as "amd": a text under KEY.VENDOR takes the place of
  /// KEY as it is; in any other, the words that are keys of [words.VENDOR] are replaced. `values` are those that the
  /// vendor's texts may use besides a scene's own. This narration must outlive the result.
  Narration in_words_of(std::string_view vendor, Values values) const;
  /// The keys under [section], sorted.
  std::vector<std::string> keys(std::string_view section) const;

 private:
  std::optional<std::string> add(std::string_view text, std::string_view file_name);

  const std::string* find(std::string_view section, std::string_view key) const;  // the text as it is written, or null
  std::string in_vendor_words(std::string_view text) const;

  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Values, Hash, std::equal_to<>> sections_;  // the texts by their keys
  // Of a narration in a vendor's words, which has no texts of its own:
  const Narration* base_ = nullptr;
  std::string vendor_;
  std::vector<std::pair<std::string, std::string>> words_;  // what is replaced, and by what; the longest first
  Values vendor_values_;
};

/// The marks of the language's numbers: [numbers] decimal and group. English ones where they are missing.
base::NumberMarks number_marks(const Narration& narration);

/// "1 block" or "3 blocks": the words [count] `thing` and `thing`s of the narration.
std::string count_text(const Narration& narration, std::string_view thing, std::int64_t count);

}  // namespace warpwalk::words
