#pragma once

#include <string_view>

namespace warpwalk::analysis {

/// Names of Python modules and packages as they are imported: the first folder of a path without sys.path.

/// A module of Python's standard library, except those whose names programs often give to files of their own, such as
/// test, profile, trace and statistics.
bool is_standard_module(std::string_view module);
/// PyTorch, or a package that it is made of.
bool is_torch_package(std::string_view module);
/// A package that traces of PyTorch often have.
bool is_known_package(std::string_view module);

}  // namespace warpwalk::analysis
