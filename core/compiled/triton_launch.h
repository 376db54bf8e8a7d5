#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/compiled.h"

namespace warpwalk::compiled {

/// A parameter of a Triton kernel that is given when it is launched: constants (tl.constexpr) are none.
struct TritonParameter {
  std::string name;  ///< "x_ptr"
  std::string type;  ///< as in TTIR: "!tt.ptr<f32>"
  bool pointer = false;
  /// Of the number, or of what the pointer points to, as in launch files: "f32"; empty: none of them.
  std::string dtype;
};

/// The parameters of a kernel in its TTIR, in their order. Empty if it is not found.
std::vector<TritonParameter> triton_parameters(std::string_view ttir, std::string_view kernel);

/// How Triton launches a kernel of its cache.
struct TritonLaunch {
  CompiledKernel kernel;  ///< with its files
  std::vector<TritonParameter> parameters;
  /// Memory that Triton allocates for each launch, bytes per block. Its address is a parameter after the others, and
  /// after it that of the profiler's.
  std::uint64_t scratch_bytes = 0;
};

/// `file`: any file of an entry of Triton's cache, or its folder. The error is one line that names what is missing.
base::Result<TritonLaunch> read_triton_launch(const std::filesystem::path& file);

/// Whether a file belongs to an entry of Triton's cache (or is its folder): its NAME.json is there.
bool is_triton_entry(const std::filesystem::path& file);

}  // namespace warpwalk::compiled
