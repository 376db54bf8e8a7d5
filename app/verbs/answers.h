#pragma once

// This folder has the verbs of the command line, a file for each, with their options. Code that verbs share is in
// common.

#include <filesystem>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct AnswersOptions {
  std::vector<std::filesystem::path> files;  ///< empty: the file that the window writes
  std::filesystem::path json;                ///< also write the tables as JSON; "-": stdout, in place of the tables
  std::filesystem::path csv;                 ///< also write a row for each answer; "-": stdout, in place of the tables
  bool rehearsals = false;                   ///< count the answers of rehearsals, too
  std::string since, until;                  ///< of times in UTC, "2026-11-23T08:00"; empty: all
};

/// Registers `warpwalk answers`.
Verb add_answers(CLI::App& app);

/// Prints for each question how often it was asked, answered and answered right, and the most common wrong answer.
/// Returns the exit status: 2 if a file or a line cannot be read; what can be read is printed all the same.
int answers(const AnswersOptions& options);

/// The file in which the window keeps answers: beside the settings; empty if there is no home folder.
std::filesystem::path answers_file();

}  // namespace warpwalk::verbs
