#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwalk::verbs {

struct RunOptions {
  std::string expression;
  std::vector<std::string> shapes;  ///< "a=256x128"
  std::vector<std::string> dtypes;  ///< "f32" for all, "a=f16" for one
  std::string seed = "1";  ///< a whole number of 64 bits
  std::string on = "sim";  ///< sim, cpu or cuda
  std::string gpu = "h200";
  int threads = 0;  ///< of the host; 0: as many as the machine has
  bool gradients = false;
  bool placement = false;  ///< of every block, into the walk; cuda
  bool counters = false;   ///< of the hardware, by Nsight Compute, into the walk; cuda
  bool progress = false;   ///< what goes on as lines on stderr
  std::string autocast;         ///< f16 or bf16; empty: none
  std::filesystem::path json;   ///< empty: none is written
  std::filesystem::path trace;  ///< empty: none is written
};

/// Computes an expression, checks it, reports on stdout and writes the walk. Returns the exit status: 0 where every
/// check passed, 1 where one did not, 2 for bad input. SIGINT, SIGTERM and SIGHUP end it with nothing written.
int run(const RunOptions& options);

}  // namespace warpwalk::verbs
