#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::recording {

/// The names of the NVTX ranges that are open on the calling thread, outermost first.
const std::vector<std::string>& open_ops();

/// NVTX opens and closes a range. A name ends at the first comma, where PyTorch adds shapes and a sequence number.
void open_op(std::string_view text);
void close_op();

}  // namespace warpwalk::recording
