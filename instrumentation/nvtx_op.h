#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::recording {

/// What torch.autograd.profiler.emit_nvtx puts into the text of a range (PyTorch's getNvtxStr):
/// "aten::mm, seq = 12, op_id = 4, sizes = [[2, 3], [3, 4]], input_op_ids = [...]", each part but the name optional.
struct NvtxOp {
  std::string_view name;
  std::optional<std::int64_t> sequence, op_id;
  std::string input_dims;  ///< JSON; empty where there is none
  bool op = false;         ///< an operator or its backward, and no range of the user's
};

/// Any text; where nothing of PyTorch's is in it, the name is all of it.
NvtxOp parse_nvtx(std::string_view text);

}  // namespace warpwalk::recording
