#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/run/launch/compare.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

struct LoadOptions {
  std::uint64_t host_bytes = ~std::uint64_t{0};  ///< memory that the launch's buffers may take
  bool ask_ptxas = false;  ///< registers from ptxas (ptxas.h) if the launch file does not give them
};

/// What must come out of one buffer.
struct Expected {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers and gpu::Launch::buffers
  Tolerance tolerance;
  std::vector<std::uint8_t> bytes;
};

/// A launch file with all that it names, checked and ready to run.
struct LoadedLaunch {
  LaunchFile file;
  std::filesystem::path path;         ///< of the launch file
  std::filesystem::path module_file;  ///< of the PTX or CUDA C++
  std::string ptx;
  std::string source;    ///< CUDA C++, if it was compiled here
  std::string compiler;  ///< "NVRTC 13.0"; empty for PTX
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const gpu::Program> program;
  gpu::Launch launch;
  std::string registers_origin;  ///< given, ptxas or estimated
  std::vector<Expected> expected;
};

/// Reads a launch file, its PTX (or compiles its CUDA C++) and its buffers, and checks all of it against the GPU. The
/// error is one line: file, where in it, what is wrong, what to do.
std::variant<LoadedLaunch, std::string> load_launch(const std::filesystem::path& file, const gpu::Device& device,
                                                    const LoadOptions& options = {});

/// How one buffer compares with what was expected of it.
struct Output {
  std::size_t buffer = 0;  ///< row of LaunchFile::buffers
  Comparison comparison;
};

struct LaunchResult {
  gpu::Simulation simulation;
  std::vector<Output> outputs;  ///< in the order of "expect"; none if the simulation was cancelled

  /// Every expectation is met and nothing was found.
  bool good() const;
};

/// Runs it; the buffers of `loaded.launch` hold what the kernel left. The error is one line.
std::variant<LaunchResult, std::string> run_launch(const gpu::Device& device, LoadedLaunch& loaded,
                                                   const gpu::SimulateOptions& options);

}  // namespace warpwalk::run
