#pragma once

// This folder reads databases that Nsight Systems exports (nsys export --type sqlite).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {

/// Whether these are the first bytes of an SQLite database, of which 16 are needed.
bool is_sqlite(std::string_view first_bytes);

struct Progress {
  std::uint64_t bytes_read = 0;   ///< estimated from the number of rows
  std::uint64_t bytes_total = 0;  ///< size of the file
  std::uint64_t events = 0;       ///< so far
};

struct Options {
  /// Called every few thousand rows. Returning false cancels; everything read so far is kept.
  std::function<bool(const Progress&)> go_on;
  /// Reading stops when the trace reaches this size; everything read so far is kept.
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
};

struct Result {
  std::uint64_t events = 0;  ///< rows of the tables of events
  std::uint64_t bytes = 0;   ///< size of the database
  bool stopped = false;      ///< by `go_on` or the memory cap
  /// Set if nothing could be salvaged: what and what to do, without the file's name.
  std::optional<std::string> error;
};

/// Reads a database that Nsight Systems exported: kernels, copies, fills, calls, synchronizations, NVTX ranges and
/// marks, GPUs, and the names of threads and processes. Tables and columns that the file lacks are treated as not
/// recorded. From a damaged file, everything readable is kept, and `problems` lists what was lost. Writes nothing. The
/// trace is linked (core/trace/link.h).
///
/// In a file with several processes, the correlations of all but the first get a multiple of 2^32 added: each process
/// counts its own, and a launch belongs to the work of its process only.
Result read_nsys(const std::filesystem::path& file, const Options& options, Trace& trace, Problems& problems);
/// Reads from memory instead of a file.
Result read_nsys(std::string_view database, const Options& options, Trace& trace, Problems& problems);

}  // namespace warpwalk::trace::nsys
