#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/attempt.h"
#include "core/run/exercise/exercise.h"

namespace warpwalk::run {

/// Who handed in a file.
struct Sender {
  LearningPlatform platform = LearningPlatform::moodle;
  std::string name;  ///< "Jane Doe"; of Canvas "doejane"; "Participant 4711" if the names are hidden
  std::string id;    ///< Moodle's number of the participant in the assignment, Canvas' of the user
  bool late = false;
};
/// The sender in the name of a folder or file as Moodle and Canvas write it when a teacher downloads all submissions:
/// "Jane Doe_4711_assignsubmission_file_", "Jane Doe_4711_assignsubmission_file_kernel.cu",
/// "doejane_LATE_12_345_kernel.cu". Nullopt for other names.
std::optional<Sender> sender_in(std::string_view name);

/// The text of a source: UTF-8 with or without a byte order mark, UTF-16, Latin-1; lines end with "\n". On failure, a
/// sentence: it is no text.
base::Result<std::string> source_text(std::string_view bytes);

/// The submissions at these paths: files, and folders with all their subfolders, one for each student, sorted by path.
/// A student's files are those of one folder that a platform or a person named after the student, else each file is a
/// submission of its own. If there are several, the source with the exercise's kernel is taken, the last one by name. A
/// submission that cannot be graded has Attempt::trouble. On failure, a line: there is no such file, or no submission.
base::Result<std::vector<Attempt>> read_class(const std::vector<std::filesystem::path>& paths,
                                              const Exercise& exercise);

}  // namespace warpwalk::run
