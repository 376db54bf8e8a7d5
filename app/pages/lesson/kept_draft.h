#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "app/lessons/lesson_draft.h"
#include "core/base/result.h"

namespace warpwalk::pages {

/// The file that keeps an unsaved lesson between two starts. It exists only while there is something to keep.
class KeptDraft {
 public:
  /// `file`: Environment::lesson_draft, which must outlive this object; empty: nothing is kept.
  explicit KeptDraft(const std::filesystem::path& file) : file_(file) {}

  /// The draft that was kept at the last end; only the first call looks for it. On failure: the file to which a draft
  /// was moved that cannot be read.
  base::Result<std::optional<lessons::LessonDraft>> find();
  /// Writes the draft if it has changed and is not saved, or removes the file.
  base::Result<void> keep(const lessons::LessonDraft& draft);

 private:
  const std::filesystem::path& file_;
  bool found_ = false;          // what was kept at the last end has been looked for
  bool kept_ = false;           // the file is there
  std::uint64_t revision_ = 0;  // that is in it
};

}  // namespace warpwalk::pages
