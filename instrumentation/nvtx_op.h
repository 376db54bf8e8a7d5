#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::instrumentation {

/// The range text that torch.autograd.profiler.emit_nvtx produces (PyTorch's getNvtxStr):
/// "aten::mm, seq = 12, op_id = 4, sizes = [[2, 3], [3, 4]], input_op_ids = [...]". All parts but the name are
/// optional.
struct NvtxOp {
  std::string_view name;
  std::optional<std::int64_t> sequence, op_id;
  std::string input_dims;  ///< JSON; empty if absent
  bool op = false;         ///< true for an operator or its backward, false for a user's range
};

/// Accepts any text. Text that PyTorch did not write becomes the name as a whole.
NvtxOp parse_nvtx(std::string_view text);

}  // namespace warpwalk::instrumentation
