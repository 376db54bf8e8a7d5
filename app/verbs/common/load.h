#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/trace/read_result.h"

namespace warpwalk::verbs {

struct LoadedTrace {
  trace::ReadResult result;
  double seconds = 0;  ///< wall time of reading and linking
  std::filesystem::path file = {};
};

/// Reads a trace; "-" is stdin. On a terminal it shows the progress of long reads. A program (.cu, .py ...) is an error
/// that says how to get a trace of it. `memory_cap_bytes`: 0 for the default.
LoadedTrace load(const std::filesystem::path& file, std::uint64_t memory_cap_bytes);

/// The name of a trace's file in messages: "stdin" for "-".
std::string shown_name(const std::filesystem::path& file);

/// One line for each kind of data that reading the file has lost.
std::vector<std::string> lost_data(const std::filesystem::path& file, const trace::ReadResult& result);

/// The peak memory of this process, bytes.
std::uint64_t peak_memory_bytes();

}  // namespace warpwalk::verbs
