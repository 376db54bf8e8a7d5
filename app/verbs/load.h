#pragma once

#include <filesystem>

#include "core/trace/chrome/reader.h"

namespace warpwalk::verbs {

struct LoadedTrace {
  trace::ReadResult result;
  double seconds = 0;  ///< wall time of reading and linking
};

/// Reads a trace; on a terminal, files that take a while show how far it is.
LoadedTrace load(const std::filesystem::path& file, std::uint64_t memory_cap_bytes);

/// The most memory this process ever had, in bytes.
std::uint64_t peak_memory_bytes();

}  // namespace warpwalk::verbs
