#pragma once

#include <optional>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// Says what a file is that no reader here reads, and what to do with it: the rest of a sentence that begins with the
/// file's name. `begin`: its first bytes, after decompression; 4,096 are enough for all kinds. `name`: the file's name,
/// because some kinds have no signature. Returns nullopt for an unknown kind.
std::optional<std::string_view> other_file(std::string_view begin, std::string_view name);

/// The same for an array of trees of sums, and for one whose objects are no events.
std::string_view profile_tree();
std::string_view array_without_events();
/// The same for a pickle of PyTorch's flight recorder.
std::string_view flight_recorder_dump();

/// The same for a JSON object without events, by the keys in the trace's metadata.
std::string_view other_document(const Trace& trace);

}  // namespace warpwalk::trace
