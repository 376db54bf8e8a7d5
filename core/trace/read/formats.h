#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <variant>

#include "core/platform/byte_source.h"
#include "core/trace/json/window.h"
#include "core/trace/read_result.h"

namespace warpwalk::trace {

/// What the reader of a format gets of a file.
struct FormatInput {
  platform::ByteSource& source;
  Window& window;                                                ///< over the source, at its first byte
  std::variant<std::filesystem::path, std::string_view> origin;  ///< the file or its bytes, which SQLite reads itself
  std::string_view name;                                         ///< of the file, for messages
  const ReadOptions& options;
};

/// A format that is read. Another profiler's format is one more row of formats().
struct Format {
  std::string_view name;
  bool (*begins)(std::string_view first_bytes);  ///< whether text that begins so is of this format
  void (*read)(FormatInput& input, ReadResult& result);
};

/// All formats. Chrome-trace JSON is the last: it takes what no other format takes.
std::span<const Format> formats();
/// The first format that a text with these first bytes begins.
const Format& format_of(std::string_view first_bytes);

}  // namespace warpwalk::trace
