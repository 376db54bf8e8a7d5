#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/attempt.h"

namespace warpwalk::run {

/// A student of a class list. What the list does not have is empty.
struct RosterRow {
  std::string name;      ///< "Jane Doe" or "Doe, Jane"
  std::string id;        ///< Moodle's "Identifier" without "Participant", Canvas' "ID", or the list's own
  std::string email;     ///< "Email address"
  std::string modified;  ///< Moodle's "Last modified (grade)"
  std::string sis_user, sis_login, section;  ///< of Canvas
  bool id_is_platforms = false;              ///< `id` is the number in Moodle's or Canvas' names of files
};

/// Reads a class list: Moodle's grading worksheet, Canvas' gradebook, or any CSV with a column "name" (or "first name"
/// and "last name") and perhaps "id". On failure: one line.
base::Result<std::vector<RosterRow>> read_roster(const std::filesystem::path& file);

/// The row of a student: of the same id, else the only one of the same name, whatever the order of first and last name,
/// spaces and case. Null if there is none.
const RosterRow* find_student(const std::vector<RosterRow>& roster, const Attempt& attempt);

/// Gives attempts the names and ids of the list, and adds one with Attempt::trouble for each student of the list who
/// has handed in nothing.
void take_roster(const std::vector<RosterRow>& roster, std::vector<Attempt>& attempts);

}  // namespace warpwalk::run
