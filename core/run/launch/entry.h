#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::ptx {
struct Function;
struct Module;
}  // namespace warpwalk::ptx

namespace warpwalk::run {

/// Resolves a kernel by its exact name or, if it is unambiguous, by its plain C++ name (module_names.h). Returns its
/// index, or a one-line error that lists the entries. `module` says in it what contains them: "PTX" or "cubin".
base::Result<std::size_t> find_entry(std::span<const std::string_view> entries, std::string_view name,
                                     std::string_view module);

/// The same among the entries of a PTX module.
base::Result<const ptx::Function*> find_entry(const ptx::Module& module, std::string_view name);

}  // namespace warpwalk::run
