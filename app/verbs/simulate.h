#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/verbs/common/cycles_option.h"
#include "app/verbs/common/verb.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/kernel_lab/compiled_launch.h"

namespace warpwalk::verbs {

struct SimulateOptions {
  std::filesystem::path file;         ///< may be empty only with `accuracy`
  std::filesystem::path other;        ///< with `compare`, the second version
  bool compare = false;               ///< compares both files' launches
  bool lines = false;                 ///< with `compare` or of Triton's kernels, the costs of lines too
  run::GivenLaunch given;             ///< of a compiled kernel
  bool layouts = false;               ///< likewise: compares its tensors' layouts with the run
  std::filesystem::path launch_file;  ///< whose kernel comes from the file, CUDA C++; empty: those of its main()
  /// Which of the recorded launches of a walk, or of the launches of a CUDA program, from 1.
  std::optional<std::uint64_t> launch;
  std::filesystem::path ncu;                ///< a report of Nsight Compute to compare with; empty: none
  std::optional<std::uint64_t> ncu_launch;  ///< which launch of the report, from 1
  std::string gpu;  ///< an id in assets/devices, or a file; empty: as the launch file says, else h200
  int threads = 0;  ///< host threads; 0: one per hardware thread
  std::uint64_t limit = gpu::runaway_limit;  ///< operations per block; more are reported as a runaway
  bool sanitize = false;                     ///< also look for uninitialised reads, races and misused barriers
  std::string code = "auto";                 ///< what to run: auto, sass or ptx
  CyclesWords cycles;
  std::string caches;            ///< cold or warm; empty: as the launch file says
  bool ptxas = false;            ///< compile the launch file's PTX to machine code with ptxas
  std::filesystem::path json;    ///< empty: no report is written
  std::filesystem::path values;  ///< folder for the buffers after the launch; empty: not written
  std::filesystem::path trace;   ///< empty: no trace is written
  std::string accuracy;          ///< one of accuracy_topics(): print it and simulate nothing; empty: simulate
};

/// Registers `warpwalk simulate`.
Verb add_simulate(CLI::App& app);

/// Runs a launch file's kernel on the simulated GPU and reports on stdout. Returns the exit status: 0 if every
/// expectation is met and nothing was found, 1 otherwise, 2 for bad input. On SIGINT, SIGTERM or SIGHUP it ends and
/// writes nothing.
int simulate(const SimulateOptions& options);

/// `simulate A.cu B.cu --compare`: runs the launches of both programs, or of both with `launch_file`, and compares
/// their figures, with `lines` also the costs of their lines. Returns the exit status: 1 if a launch of either is not
/// good.
int simulate_versions(const SimulateOptions& options, const gpu::Device& device, const run::CyclesOptions& cycles);

/// The comparisons of the timing model with an H200 that are shipped in assets/devices: launches, recorded, parameters.
std::vector<std::string> accuracy_topics();

/// Prints a comparison, one of accuracy_topics(). Returns the exit status.
int show_accuracy(std::string_view topic);

}  // namespace warpwalk::verbs
