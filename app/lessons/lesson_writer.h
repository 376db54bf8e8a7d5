#pragma once

#include <filesystem>
#include <string>

#include "app/lessons/lesson.h"

namespace warpwalk::lessons {

/// How a lesson names a trace: the bare name of a recorded walk in `walks`, a path relative to the lesson for a file
/// that shares a folder with it other than the root, or else the whole path. load_lesson() finds the same file by it.
std::string name_in_lesson(const std::filesystem::path& trace, const std::filesystem::path& lesson,
                           const std::filesystem::path& walks);

/// A number as lessons have it: "3", "2.5".
std::string number_text(double value);

/// The text of a lesson file: load_lesson() reads it from `lesson.file` as the same lesson. A step is written as
/// LessonStep has it, without the phase of its moment.
std::string text_of(const Lesson& lesson, const std::filesystem::path& walks);

/// The absolute path without "." and "..", also of a file that does not exist.
std::filesystem::path whole_path(const std::filesystem::path& file);

}  // namespace warpwalk::lessons
