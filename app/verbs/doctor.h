#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct DoctorOptions {
  std::filesystem::path json;  ///< empty: not written; -: stdout, instead of the lines
};

/// The result of one check.
struct Checked {
  std::string name;
  bool ok = false;
  std::string found;  ///< what was found, or why it is missing
  std::string costs;  ///< what does not work without it, and what to do; empty if it is there
};

/// Checks everything. Takes at most a few seconds, even if a driver hangs.
std::vector<Checked> check_all();

/// Registers `warpwalk doctor`.
Verb add_doctor(CLI::App& app);

/// Prints what this machine has and what each missing thing costs, one line each. Returns the exit status.
int doctor(const DoctorOptions& options);

}  // namespace warpwalk::verbs
