#pragma once

#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace {

/// The slice kind for an event's "cat", in the spellings of PyTorch 1.8 to 2.11.
SliceKind kind_of_category(std::string_view category);
/// The "cat" to write for a kind. Empty for `other`, whose rows store their own category.
std::string_view category_of(SliceKind kind);

/// True for kinds whose pid and tid are a device and a stream, not a process and a thread.
bool on_gpu(SliceKind kind);
/// True for the category of flows from a launch to its GPU work. The correlation gives the same link.
bool is_launch_flow(std::string_view category);
/// True for the category of flows that alone link an op to its GPU work, because the file has no correlations: those of
/// Ascend's torch_npu and of PyTorch's legacy autograd profiler.
bool links_launch(std::string_view category);

}  // namespace warpwalk::trace
