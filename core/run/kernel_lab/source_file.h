#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/ops/tensor/dtype.h"
#include "core/run/kernel_lab/draft.h"

namespace warpwalk::run {

/// Whether a file is a launch file (docs/simulate.md): a small JSON file with a kernel and a grid.
bool is_launch_file(const std::filesystem::path& file);

/// Whether open_source_file() may read a file.
bool is_for_lab(const std::filesystem::path& file);

/// Reads a launch file, a file of CUDA C++ (.cu) or PTX (.ptx), or a compiled kernel (compiled_launch.h) as a draft.
/// The launch of a source is that of the launch file NAME.json beside it; without one, a launch of its first kernel is
/// made up from the parameters (launch_for). On failure, returns a one-line error.
base::Result<KernelDraft> open_source_file(const std::filesystem::path& file);

/// A launch text for the first kernel of a source, with 1,024 elements in each buffer and in each whole number, to be
/// changed by the person: the grid, the sizes and the contents are not in the source. Empty if it has no kernel.
std::string launch_for(std::string_view source, DraftLanguage language);

/// A parameter of a kernel as its source declares it.
struct DeclaredParameter {
  std::string name;                 ///< empty in PTX
  bool pointer = false;             ///< in PTX, a pointer is a whole number
  std::optional<ops::DType> dtype;  ///< of the number or of what the pointer points to; nullopt: not known
};
/// The parameters of the kernel with this entry name, which may be mangled. Empty if it is not found.
std::vector<DeclaredParameter> declared_parameters(std::string_view source, DraftLanguage language,
                                                   std::string_view entry);

/// The name that the source gives the kernel with this entry name, which may be mangled; empty if it is not found.
std::string declared_name(std::string_view cuda_source, std::string_view entry);

/// Whether CUDA C++ is a whole program: it defines main().
bool has_main(std::string_view cuda_source);

/// The files of a folder that open_source_file() may read, by name; at most 64. Launch files are left out if their
/// source is in the list.
std::vector<std::filesystem::path> source_files_in(const std::filesystem::path& folder);

}  // namespace warpwalk::run
