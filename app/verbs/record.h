#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwalk::verbs {

struct RecordOptions {
  std::filesystem::path out;
  bool sass = true;                  ///< with the machine code of its kernels, where nvdisasm is on this machine
  std::uint64_t timed_kernels = 0;   ///< room on the GPU for the times of so many; 0: as CUPTI has it
  std::vector<std::string> command;  ///< the program and its arguments; empty: finish what a killed recording left
};

/// Runs any program that uses CUDA, with the recorder injected, and writes what it did as a trace; further processes
/// that use CUDA get traces of their own (walk.PID.json.gz). The program's streams, signals and end are its own.
/// Returns the exit status: 0 done, 1 the program failed (what was recorded until then is written), 2 nothing could be
/// recorded.
int record(const RecordOptions& options);

}  // namespace warpwalk::verbs
