#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwalk::verbs {

struct DoctorOptions {
  std::filesystem::path json;  ///< empty: none is written; -: instead of the lines
};

/// One thing that the program can use.
struct Checked {
  std::string name;
  bool ok = false;
  std::string found;  ///< what there is, or why there is not
  std::string costs;  ///< what cannot be done without it, and what to do; empty where nothing is lacking
};

/// Looks at everything. Takes a few seconds at the longest, whatever the drivers do.
std::vector<Checked> check_all();

/// What this machine has and what each missing thing costs, a line each. Returns the exit status.
int doctor(const DoctorOptions& options);

}  // namespace warpwalk::verbs
