#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "app/panels/note.h"
#include "core/story/elements/narration.h"

namespace warpwalk::pages {

/// The message that the program shows; a new one replaces the one before.
class Messages {
 public:
  /// `words` must outlive the messages.
  explicit Messages(const story::Narration& words) : words_(words) {}

  const panels::Note& note() const { return note_; }
  void clear() { note_ = {}; }
  /// Shows a hint in the transport bar.
  void hint(std::string text) { note_ = {std::move(text), panels::Note::Kind::hint}; }
  void done(std::string text) { note_ = {std::move(text), panels::Note::Kind::done}; }
  /// Shows an error, one line.
  void error(std::string line) { note_ = {std::move(line), panels::Note::Kind::error}; }
  /// Shows [note] `key` of the narration: as a hint, as a confirmation, or as an error.
  void tell(std::string_view key) { hint(words_.text("note", key)); }
  void confirm(std::string_view key, const story::Narration::Values& values = {});
  void fail(std::string_view key, const story::Narration::Values& values = {});
  /// Confirms that a file was written.
  void confirm_saved(const std::filesystem::path& file);

 private:
  const story::Narration& words_;
  panels::Note note_;
};

}  // namespace warpwalk::pages
