#pragma once

#include <filesystem>
#include <string>

#include "app/verbs/common/verb.h"

namespace warpwalk::verbs {

struct DigestOptions {
  std::filesystem::path file;  ///< a trace; -: stdin
  std::filesystem::path out;   ///< empty: beside the trace, with the ending .digest; -: stdout, as JSON
  std::string place;           ///< the path or address where the trace will be found; empty: where it is now
  double memory_cap_gb = 0;    ///< 0: the default
};

/// Registers `warpwalk digest`.
Verb add_digest(CLI::App& app);

/// Writes what the comparison of ranks keeps of a trace. Returns the exit status.
int digest(const DigestOptions& options);

}  // namespace warpwalk::verbs
