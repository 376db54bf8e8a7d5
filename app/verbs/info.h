#pragma once

#include <filesystem>
#include <string>

#include "app/verbs/load.h"

namespace warpwalk::verbs {

struct InfoOptions {
  std::filesystem::path file;
  std::filesystem::path json;  ///< empty: none is written
  std::uint64_t memory_cap_bytes = 0;
};

/// What is in a trace, how it links and what was wrong with it, on stdout. Returns the exit status.
int info(const InfoOptions& options);

/// The figures of `info`, as text and as the JSON of the design.
std::string info_text(const LoadedTrace& loaded, std::string_view name);
std::string info_json(const LoadedTrace& loaded);

}  // namespace warpwalk::verbs
