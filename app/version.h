#pragma once

// Defined in version.cpp, which cmake/Version.cmake writes into the build folder.

namespace warpwalk {

/// The version of the program: "0.1.0".
extern const char* const program_version;

/// What --version prints after it: " (339f45ad, 2026-11-27; Release, GNU 12.2.0)" are the commit, its date, the type of
/// build and the compiler. Empty if the sources are not a git repository.
extern const char* const program_build;

}  // namespace warpwalk
