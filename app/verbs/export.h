#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"
#include "app/verbs/stages/view_options.h"

namespace warpwalk::verbs {

struct ExportOptions : ViewOptions {
  std::filesystem::path file;  ///< a trace or a lesson
  std::filesystem::path out;   ///< the page, .html
  std::filesystem::path page;  ///< warpwalk.html; empty: the one that belongs to this program
  bool present = false;
  bool notes = false;  ///< of a lesson: with its notes, and with the lecturer's window
  bool apart = false;  ///< the program in a file of its own beside the page
};

/// Registers `warpwalk export`.
Verb add_export(CLI::App& app);

/// Writes a page that opens the trace or the lesson in any browser. Returns the exit status.
int export_page(const ExportOptions& options);

}  // namespace warpwalk::verbs
