#pragma once

#include <cstdint>
#include <string>

#include "core/platform/byte_source.h"
#include "core/trace/json/window.h"
#include "core/trace/problem.h"

namespace warpwalk::trace {

/// The end of a message about damage: how many events were read before it.
std::string kept_before(std::uint64_t events);

/// Reports why the file cannot be read to its end, or what follows behind it: gzip that is cut off or damaged, an error
/// of the disk. `window`: at the end of what was read.
void note_source_end(const platform::ByteSource& source, const Window& window, std::uint64_t events,
                     Problems& problems);

/// The size of the file on disk; of a pipe, the bytes that came.
std::uint64_t bytes_of(const platform::ByteSource& source);

}  // namespace warpwalk::trace
