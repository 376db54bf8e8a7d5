#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::pages {

/// A person's note on a slice or on a stretch of time.
struct TimelineNote {
  std::int64_t from = 0, to = 0;  ///< ns since the trace's start
  std::string slice;              ///< the slice's name; empty: a stretch of time
  std::string text;               ///< one line, not empty
  bool operator==(const TimelineNote&) const = default;
};

/// The file of a trace's notes, beside it: "run.json.gz.notes.json".
std::filesystem::path notes_file(const std::filesystem::path& trace);

/// Notes as the text of a file, and back. `name` is that of the file, for errors.
std::string text_of_notes(const std::vector<TimelineNote>& notes);
base::Result<std::vector<TimelineNote>> notes_of_text(std::string_view text, std::string_view name);

/// Reads a file of notes; none if there is no file. The error is one line.
base::Result<std::vector<TimelineNote>> read_notes(const std::filesystem::path& file);
/// Writes a file of notes in place of the one before. The error is one line.
base::Result<void> write_notes(const std::filesystem::path& file, const std::vector<TimelineNote>& notes);

/// Sets the text of the note on this slice or stretch; an empty text removes it. Notes are by their beginning. Returns
/// whether anything changed.
bool set_note(std::vector<TimelineNote>& notes, TimelineNote note);
/// The text of the note on this slice or stretch; empty if there is none.
std::string note_on(const std::vector<TimelineNote>& notes, const TimelineNote& place);

}  // namespace warpwalk::pages
