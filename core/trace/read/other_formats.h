#pragma once

#include <optional>
#include <string_view>

namespace warpwalk::trace {

/// How many first bytes of a file other_format() looks at.
constexpr std::size_t other_format_bytes = 4096;

/// Says what a file is that no reader here reads (an archive, another profiler's report, a protobuf), and what to do
/// with it: the rest of a sentence that begins with the file's name. `begin`: its first bytes, after decompression.
/// `name`: the file's name, because some kinds have no signature. Returns nullopt for an unknown kind.
std::optional<std::string_view> other_format(std::string_view begin, std::string_view name);

}  // namespace warpwalk::trace
