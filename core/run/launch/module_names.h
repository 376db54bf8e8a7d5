#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::ptx {
struct Module;
}  // namespace warpwalk::ptx

namespace warpwalk::sass {
struct Cubin;
}  // namespace warpwalk::sass

namespace warpwalk::run {

/// True if nvcc or NVRTC make `symbol` of a C++ function or variable with this name: relu means _Z4reluPfS_i, table
/// means _ZL5table, and both table and lookup::table mean _ZN6lookup5tableE.
bool is_plain_name_of(std::string_view name, std::string_view symbol);
/// The indices of the symbols that a name means: the one that is equal to it, else those whose plain name it is.
std::vector<std::size_t> meant_by(std::string_view name, std::span<const std::string_view> symbols);
/// "a, b, c and 4 more"
std::string listed(std::span<const std::string_view> names);

/// The variables and device functions of a module.
struct ModuleNames {
  struct Variable {
    std::string_view name;
    std::uint64_t bytes = 0;
  };
  std::string_view module;  ///< "PTX" or "cubin"
  std::vector<Variable> variables;
  std::vector<std::string_view> functions;
};

/// The views point into the module.
ModuleNames names_of(const ptx::Module& module);
ModuleNames names_of(const sass::Cubin& cubin);

/// Replaces the names of variables and functions, which may be plain, by those of the module, and checks the sizes of
/// the variables. On failure, returns a one-line error that names the place in the launch file.
base::Result<LaunchFile> resolve_names(LaunchFile file, const ModuleNames& names);

/// The device functions whose addresses the launch passes. The file's names are resolved.
std::vector<std::string> passed_functions(const LaunchFile& file);

}  // namespace warpwalk::run
