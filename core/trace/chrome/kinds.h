#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// What an event's "cat" says, in the spellings of PyTorch 1.8 to 2.11.
SliceKind kind_of_category(std::string_view category);
/// The "cat" to write for a kind; empty for `other`, whose rows have their own.
std::string_view category_of(SliceKind kind);

/// Kinds whose events lie on a stream of a device, by pid and tid, and not on a thread.
bool on_gpu(SliceKind kind);
/// Arrows from a launch to its GPU work, which follow from the correlation too.
bool is_launch_flow(std::string_view category);

}  // namespace warpwalk::trace
