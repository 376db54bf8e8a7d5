#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/grade.h"

namespace warpwalk::run {

/// Whose names of folders and files a submission has.
enum class LearningPlatform : unsigned char { moodle, canvas };

/// What a student hands in: a source, with the student's name and the time if it was exported from the window.
struct Attempt {
  std::string exercise;  ///< empty: not known
  std::string student;   ///< of the export, or the file's name without its extension
  std::string time;      ///< "2026-11-28T10:15:00Z", when it was exported; may be empty
  std::string source;    ///< CUDA C++ or PTX
  std::filesystem::path file;
  std::string id;                            ///< of the student on a learning platform or in a roster; may be empty
  std::string trouble;                       ///< why it cannot be graded, a sentence; empty: it can
  bool late = false;                         ///< as the platform says
  std::optional<LearningPlatform> platform;  ///< whose names it has
};

/// Reads an attempt: a source (.cu, .ptx), or the export of the window (.json). On failure, returns a one-line error.
base::Result<Attempt> read_attempt(const std::filesystem::path& file);

/// An attempt as one word, to paste into a form or a mail (packed_text.h).
std::string attempt_text(const Attempt& attempt);
/// The last attempt that somebody pasted into a text; nullopt if there is none. On failure, a sentence without its full
/// stop.
std::optional<base::Result<Attempt>> find_attempt(std::string_view text);

/// The export of an attempt (JSON). `grade`: as the window shows it, for the reader; grading computes its own.
std::string attempt_json(const Attempt& attempt, const Grade& grade);

}  // namespace warpwalk::run
