#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/trace/flight/dump.h"

namespace warpwalk::trace::flight {

/// Bytes at the beginning of a file, after decompression, that begins_a_dump() wants to see.
constexpr std::size_t begin_bytes = std::size_t{64} << 10;

/// Whether bytes may begin a dump of the flight recorder, as a pickle or as JSON. Memory snapshots and traces may not.
bool begins_a_dump(std::string_view begin);
/// The same of a file, plain or gzip. False if it cannot be read.
bool may_be_dump(const std::filesystem::path& file);

struct ReadDump {
  bool is_dump = false;              ///< a dump was appended to the dumps
  std::optional<std::string> error;  ///< one line with the file's name: why not
};

/// Reads a dump, a Python pickle or JSON, plain or gzip, and appends it to `dumps`. Executes nothing: a pickle that
/// would call Python code is refused. From a file that is cut off, everything whole is kept, and Dump::problem says so.
ReadDump read_dump(const std::filesystem::path& file, Dumps& dumps);
/// Reads from memory instead; messages use `name` as the file name.
ReadDump read_dump_text(std::string_view bytes, const std::filesystem::path& name, Dumps& dumps);

}  // namespace warpwalk::trace::flight
