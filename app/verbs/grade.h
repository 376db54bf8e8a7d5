#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct GradeVerbOptions {
  std::vector<std::filesystem::path> submissions;  ///< files, or folders of them
  std::string exercise;                            ///< a name in assets/exercises, or a folder
  std::string gpu = "h200";
  std::optional<std::uint64_t> seed;          ///< of sizes and inputs; none: a new one
  int threads = 0;                            ///< submissions at a time; 0: one per hardware thread
  std::filesystem::path csv, json;            ///< empty: not written
  std::string format = "csv";                 ///< of the table `csv`: csv, moodle or canvas
  double points = 100;                        ///< for all criteria
  std::string assignment;                     ///< its name in Canvas' gradebook; empty: the exercise's title
  std::filesystem::path roster;               ///< a class list; empty: none
  std::filesystem::path feedback;             ///< a folder for a text for each student; empty: none
  std::string part;                           ///< "2/10": grade each tenth submission, from the second on; empty: all
  std::vector<std::filesystem::path> graded;  ///< grades of earlier calls (--json), which are taken over
  bool check = false;                         ///< check an exercise: the starter must fail, each submission must pass
  bool list = false;                          ///< list the exercises of assets/exercises
};

/// Registers `warpwalk grade`.
Verb add_grade(CLI::App& app);

/// Grades submissions of an exercise. Returns the exit status: 0 if all pass, 1 if one does not, 2 for bad input.
int grade(const GradeVerbOptions& options);

}  // namespace warpwalk::verbs
