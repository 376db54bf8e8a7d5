#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace warpwalk::records {

/// A launch of relu or vecadd, measured on an H200, and simulated with fewer elements.
struct KernelLaunch {
  std::string language;     ///< "triton" or "cuda"
  std::string kernel;       ///< "relu", "vecadd"; "relu4" and "vecadd4" take four elements per thread
  int block = 0;            ///< Triton: elements of a program instance; CUDA: threads of a block
  int warps = 0;            ///< of a block
  double elements = 0;      ///< measured
  double grid = 0;          ///< blocks
  double us = 0;            ///< median
  int registers = 0;        ///< per thread
  int spills = 0;           ///< registers that did not fit, as Triton counts them
  int per_thread = 0;       ///< neighbouring elements of a thread (sizePerThread of the TTGIR)
  int loads = 0;            ///< load instructions per thread
  int vector_loads = 0;     ///< those of 16 bytes
  double simulated = 0;     ///< elements of the simulated launch, from which the next three are
  double instructions = 0;  ///< of warps, from PTX
  double requests = 0;      ///< loads and stores of warps
  double sectors = 0;       ///< of 32 bytes

  /// Elements that a block works on.
  int elements_per_block() const { return language == "triton" ? block : block * per_thread; }
};

/// A configuration of a Triton matrix product of size x size x size FP16 elements.
struct TunedConfig {
  int size = 0, block_m = 0, block_n = 0, block_k = 0, warps = 0, stages = 0;
  int registers = 0, spills = 0;
  double shared = 0;        ///< bytes per block
  double us = 0;            ///< median, with empty caches
  double autotuner_us = 0;  ///< as the autotuner measured it
  double cublas_us = 0;     ///< torch.matmul of the same matrices
  bool chosen = false;      ///< by the autotuner

  /// "128 x 256 x 64, 8 warps, 3 stages" without the words.
  std::string text() const;
};

/// The result of a step of registering an op: the outcome of a call, or one event of a profile.
struct OpStep {
  std::string op;    ///< "triton_op", "custom_op"; "expected": PyTorch's own results; "compile": times of torch.compile
  std::string step;  ///< "eager", "gradient" ...; "call cpu NAME" and "call gpu NAME": an event of one call
  bool ok = false;
  std::string result;  ///< the beginning of a digest, or a number
  std::string more;    ///< the type of the error, or a second number
};

/// A kernel of a line of PyTorch, as Nsight Compute counted it: caches emptied before it, the clocks as they were.
struct LineKernel {
  std::string line;    ///< "pointwise"; the line itself is the text "pointwise.line"
  std::string way;     ///< "eager", "compiled"; "autotuned": torch.compile with max-autotune
  std::string kernel;  ///< its name, with template arguments
  double us = 0;
  double cycles = 0;             ///< of the SM that was busy longest
  double read = 0, written = 0;  ///< bytes of device memory
  double instructions = 0;       ///< of warps
  int registers = 0;             ///< per thread
  double grid = 0, block = 0;    ///< blocks; threads of a block
};

/// The recordings of assets/triton.
struct TritonRecord {
  std::vector<KernelLaunch> launches;
  std::vector<TunedConfig> tuned;
  std::vector<OpStep> steps;
  std::vector<LineKernel> lines;                          ///< in the order of the launches
  std::map<std::string, std::string, std::less<>> texts;  ///< "relu_1024_4_even.ptx", "fused.py", "kernels.cu" ...

  /// Null if there is no such launch.
  const KernelLaunch* find(std::string_view language, std::string_view kernel, int block, int warps, bool even) const;
  const OpStep* find(std::string_view op, std::string_view step) const;
  /// Empty if there is no such text.
  std::string_view text(std::string_view name) const;
};

/// Read the files h200_kernels.csv, h200_autotune.csv and h200_ops.csv, which tests/triton/collect.py writes, and
/// h200_compile.csv of tests/triton/record_compile.py. On failure, return a one-line message without the file's name.
base::Result<std::vector<KernelLaunch>> parse_kernel_launches(std::string_view text);
base::Result<std::vector<TunedConfig>> parse_tuned_configs(std::string_view text);
base::Result<std::vector<OpStep>> parse_op_steps(std::string_view text);
base::Result<std::vector<LineKernel>> parse_line_kernels(std::string_view text);
/// Texts by name: each begins after a line "== NAME".
std::map<std::string, std::string, std::less<>> parse_texts(std::string_view text);

/// Reads a folder (assets/triton); null if it has no recordings. On failure, returns a one-line message too.
std::pair<std::shared_ptr<const TritonRecord>, std::optional<std::string>> load_triton_record(
    const std::filesystem::path& folder);

}  // namespace warpwalk::records
