#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/launch/beside_measured.h"
#include "core/run/launch/code_choice.h"
#include "core/run/launch/compare.h"
#include "core/run/launch/cycles.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

struct LoadOptions {
  std::uint64_t host_bytes = ~std::uint64_t{0};  ///< memory limit for the launch's buffers
  bool ask_ptxas = false;                        ///< compile the PTX to machine code with ptxas (ptxas.h)
  CodeChoice code = CodeChoice::automatic;
  std::filesystem::path cuda;  ///< CUDA C++ in place of the launch file's module; empty: that module
};

/// The expected contents of one buffer.
struct Expected {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers and gpu::Launch::buffers
  Tolerance tolerance;
  std::vector<std::uint8_t> bytes;
};

/// A launch file and all the files that it names, checked and ready to run.
struct LoadedLaunch {
  LaunchFile file;
  std::filesystem::path path;         ///< of the launch file
  std::filesystem::path module_file;  ///< of the PTX or CUDA C++; of the cubin if there is neither
  std::string ptx;                    ///< empty if there is only machine code
  std::string source;                 ///< CUDA C++ if it was compiled here, or a Triton kernel's Python; else empty
  std::string source_file;            ///< of the Python, as line tables name it; empty: `source` is module_file
  std::string cubin;                  ///< machine code; empty if there is none
  std::shared_ptr<const gpu::Program> program;
  std::string code;                ///< what runs: "sass sm_90 from cubin", "sass sm_90 by ptxas 13.0", "ptx"
  std::vector<std::string> notes;  ///< what the user should know about that choice, one line each
  gpu::Launch launch;
  std::string registers_origin;  ///< given, cubin, ptxas or estimated
  std::vector<Expected> expected;

  bool runs_machine_code() const { return code.starts_with("sass"); }
};

/// Reads a launch file, its PTX and machine code (or compiles its CUDA C++) and its buffers, and checks them against
/// the GPU. On failure, returns a one-line error: the file, the position in it, the problem and how to fix it.
base::Result<LoadedLaunch> load_launch(const std::filesystem::path& file, const gpu::Device& device,
                                       const LoadOptions& options = {});

/// The same for a launch whose module is in memory. The caller has filled in `file`, `path`, `module_file`, `ptx` and
/// `source`; `machine` is its machine code, if there is some. Only the files of buffers are read, relative to `path`.
base::Result<LoadedLaunch> load_launch(LoadedLaunch loaded, CubinSource machine, const gpu::Device& device,
                                       const LoadOptions& options = {});

/// The comparison of one buffer with its expected contents.
struct Output {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers
  Comparison comparison;
};

/// For a launch of a walk that was recorded with its memory: what the simulated GPU left beside what the GPU left.
struct RecordedOutputs {
  std::size_t same = 0, different = 0;  ///< ranges of memory
  std::size_t unknown = 0;              ///< ranges whose contents after the launch are not in the walk
  std::string first_different;          ///< name of the first range that differs
  std::int64_t measured_ns = 0;         ///< the kernel's recorded duration; 0: not recorded
  std::string gpu;                      ///< name of the GPU that was recorded; empty: not known
};

/// A file with the whole contents of a buffer after the launch.
struct BufferFile {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers
  std::string file;
};

struct LaunchResult {
  gpu::Simulation simulation;
  Cycles cycles;
  gpu::IssuePolicy policy = gpu::IssuePolicy::greedy_then_youngest;  ///< of the schedulers, for the cycles
  std::vector<Output> outputs;  ///< in the order of "expect"; none if the simulation was cancelled
  std::optional<RecordedOutputs> recorded;
  /// The same launch as a profiler measured it; filled in by the caller that has its report, for the report.
  std::optional<BesideMeasured> measured;
  std::vector<BufferFile> values;  ///< filled in by the caller that writes them, for the report

  /// True if all expectations are met and the simulator reported no findings.
  bool good() const;
};

/// Runs the launch, and then simulates its cycles if `cycles` says so. Afterwards the buffers of `loaded.launch` hold
/// the kernel's results. On failure, returns a one-line error.
base::Result<LaunchResult> run_launch(const gpu::Device& device, LoadedLaunch& loaded,
                                      const gpu::SimulateOptions& options, const CyclesOptions& cycles = {});

}  // namespace warpwalk::run
