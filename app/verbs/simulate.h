#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::verbs {

struct SimulateOptions {
  std::filesystem::path file;
  std::string gpu = "h200";     ///< an id of assets/devices, or a file
  int threads = 0;              ///< of the host; 0: as many as the machine has
  bool sanitize = false;        ///< look for uninitialised reads, races and misused barriers too
  bool ptxas = false;           ///< registers from ptxas where the launch file does not give them
  std::filesystem::path json;   ///< empty: none is written
  std::filesystem::path trace;  ///< empty: none is written
};

/// Runs a launch file's kernel on the simulated GPU and reports on stdout. Returns the exit status: 0 where every
/// expectation is met and nothing was found, 1 where not, 2 for bad input. SIGINT, SIGTERM and SIGHUP end it with
/// nothing written.
int simulate(const SimulateOptions& options);

}  // namespace warpwalk::verbs
