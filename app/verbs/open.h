#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"
#include "app/verbs/stages/view_options.h"
#include "core/analysis/ranks/rank_source.h"

namespace warpwalk::verbs {

struct OpenOptions : ViewOptions {
  /// A file; a folder or several files: the traces of the ranks of a run. Empty: the default walk. CUDA C++, PTX and
  /// launch files open in the Kernel lab.
  std::vector<std::filesystem::path> files;
  std::int64_t rank = analysis::any_rank;            ///< of several traces, the one to open
  std::filesystem::path compare;                     ///< a second trace; empty: none
  std::string language;                              ///< a folder of assets/narration; empty: as in the settings
  std::string questions;                             ///< on or off; empty: as in the settings
  std::string gpu, caches;                           ///< of launches in the Kernel lab; empty: as they say
  std::filesystem::path answers;                     ///< the file to keep answers in; empty: beside the settings
  std::vector<std::filesystem::path> class_answers;  ///< files and folders; may be empty
  bool rehearsal = false;                            ///< the answers do not count
  std::string student;                               ///< a name to record with the answers; empty: none
  double scale = 0;  ///< pixels per unit; 0: as in the settings, or chosen by the screen
  bool full_screen = false;
  bool present = false;
  bool for_class = false;
  bool lecturer = false;  ///< implies `present`
  bool reset_settings = false;
};

/// Registers the options of the program without a verb. The returned Verb's command is the program itself.
Verb add_open(CLI::App& app);

/// Opens the window. Returns the exit status.
int open(const OpenOptions& options);

}  // namespace warpwalk::verbs
