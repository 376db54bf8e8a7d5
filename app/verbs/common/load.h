#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/trace/chrome/reader.h"

namespace warpwalk::verbs {

struct LoadedTrace {
  trace::ReadResult result;
  double seconds = 0;  ///< wall time of reading and linking
};

/// Reads a trace. On a terminal it shows the progress of long reads.
LoadedTrace load(const std::filesystem::path& file, std::uint64_t memory_cap_bytes);

/// One line for each kind of data that reading the file has lost.
std::vector<std::string> lost_data(const std::filesystem::path& file, const trace::ReadResult& result);

/// The peak memory of this process, bytes.
std::uint64_t peak_memory_bytes();

}  // namespace warpwalk::verbs
