#pragma once

#include <cstdint>
#include <string_view>

#include "core/trace/trace.h"

namespace warpwalk::trace::nsys {

/// The text of an NVTX range, taken apart.
struct RangeName {
  std::string_view name;           ///< without what PyTorch appends
  bool op = false;                 ///< of a PyTorch operator or an autograd function
  std::int64_t sequence = absent;  ///< pairs a forward op with its backward
  std::int64_t op_id = absent;     ///< PyTorch's number of the call
  std::string_view sizes;          ///< of the input tensors, a JSON array of arrays; empty if not recorded
  std::string_view input_op_ids;   ///< of the calls that produced the inputs, "[(1,0), (2,0)]"; empty if not recorded
};

/// Reads a range of torch.autograd.profiler.emit_nvtx: "aten::mm, seq = 5, op_id = 3, sizes = [[2, 3], [3, 4]],
/// input_op_ids = [(1,0), (2,0)]", where each part but the name can be missing. A text without such parts is an op only
/// if it is a name of the aten library. A named range of the program (record_function) has a number but no sequence.
RangeName read_range_name(std::string_view text);

}  // namespace warpwalk::trace::nsys
