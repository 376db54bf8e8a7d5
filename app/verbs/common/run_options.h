#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/cycles_option.h"

namespace warpwalk::verbs {

/// The options of `warpwalk run`, as given.
struct RunOptions {
  std::string expression;
  std::vector<std::string> shapes;  ///< "a=256x128"
  std::vector<std::string> dtypes;  ///< "f32" for all, "a=f16" for one
  std::vector<std::string> inputs;  ///< "a=a.bin": the elements of a name
  std::string seed = "1";           ///< an integer of 64 bits
  std::string on = "sim";           ///< sim, cpu or cuda
  std::string gpu = "h200";
  std::string code = "auto";  ///< what the simulated GPU runs: auto, sass or ptx
  CyclesWords cycles;         ///< sim only
  int threads = 0;            ///< host threads; 0: one per hardware thread
  bool gradients = false;
  bool placement = false;        ///< record the placement of every block in the walk; cuda only
  bool counters = false;         ///< record the hardware's counters (Nsight Compute) in the walk; cuda only
  bool progress = false;         ///< report progress as lines on stderr
  std::string autocast;          ///< f16 or bf16; empty: no autocast
  std::filesystem::path json;    ///< empty: no report is written
  std::filesystem::path values;  ///< folder for the elements of result and gradients; empty: not written
  std::filesystem::path trace;   ///< empty: no walk is written
};

}  // namespace warpwalk::verbs
