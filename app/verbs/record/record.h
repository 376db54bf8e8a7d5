#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct RecordOptions {
  std::filesystem::path out;                   ///< a file or a folder; empty: walk.json.gz, or the folder walk
  bool sass = true;                            ///< include the kernels' machine code, if nvdisasm is installed
  bool source = true;                          ///< include the kernels' source files
  std::vector<std::filesystem::path> sources;  ///< source files that are not where the line tables say
  bool compiled = true;                        ///< keep what torch.compile and Triton write of the kernels
  std::uint64_t timed_kernels = 0;             ///< kernels whose times the GPU's buffers must hold; 0: CUPTI's default
  std::vector<std::string> inside;  ///< which launches to record with their memory (instrumentation::InsidePattern)
  std::uint64_t inside_limit_mib = 256;         ///< of that memory
  std::vector<std::filesystem::path> profiles;  ///< traces that the program's torch.profiler writes, or their folders
  bool inside_data = true;                      ///< keep the contents of that memory, not only its kind
  bool inside_whole = false;                    ///< keep whole allocations, not only what a launch accesses of them
  bool armed = false;                           ///< no walk: a core dump and the last calls if a kernel fails
  bool armed_memory = false;                    ///< with the contents of global memory
  std::vector<std::string> replay;              ///< kernels whose inputs are kept until they have ended (patterns)
  bool simulated = false;                       ///< on the simulated GPU, without a real one (--on sim)
  std::string gpu = "h200";                     ///< that GPU: an id in assets/devices, or a description's file
  bool sanitize = false;                        ///< check each launch, and the use of memory between launches
  bool cycles = false;  ///< simulate the cycles of each kernel; otherwise its time is a lower bound
  bool exact = false;   ///< simulate every block of every launch
  int threads = 0;      ///< host threads of the simulation; 0: one per hardware thread
  bool print_environment = false;  ///< no walk: print what a program needs for the simulated GPU
  /// For another verb: the program's output goes to stderr, and nothing is said of what was recorded.
  bool for_verb = false;
  /// On the simulated GPU: only the launches of `inside` are recorded, and the program ends after the last of them.
  bool inside_only = false;
  bool no_input = false;                      ///< the program's stdin is empty
  const std::atomic<bool>* cancel = nullptr;  ///< ends the program once it is set
  std::atomic<int>* ended = nullptr;          ///< receives a signal that this process was sent meanwhile to end it
  std::string* trouble = nullptr;    ///< receives the line that says why nothing was recorded, instead of stderr
  std::vector<std::string> command;  ///< the program and its arguments; empty: finish a recording that was killed
};

/// Registers `warpwalk record`.
Verb add_record(CLI::App& app);

/// Runs any program that uses CUDA with the recorder injected, and writes what it did as a trace. Ranks of a
/// distributed run get a folder of traces (walk/rank0.json.gz), other further processes their own traces
/// (walk.PID.json.gz). The program keeps its own standard streams and signals. Returns the exit status: 0 done, 1 the
/// program failed (what was recorded until then is written), 2 nothing could be recorded. On the simulated GPU, the
/// exit status is that of the program, or 1 if it is 0 and an error was found in a kernel.
int record(const RecordOptions& options);

/// Runs a program armed (--armed): it is not profiled, but writes down its last calls of CUDA, and CUDA writes a core
/// dump if a kernel fails, or if `warpwalk dump` asks for it. `options.out`: the folder for them; empty: crash, or
/// crash-2 ... if that exists. Returns the exit status: 0 the program ended well, and nothing is left; 1 it failed, or
/// was asked for a dump; 2 it could not be started.
int record_armed(const RecordOptions& options);

/// Registers `warpwalk dump`.
Verb add_dump(CLI::App& app);

}  // namespace warpwalk::verbs
