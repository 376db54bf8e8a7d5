#include "core/story/facts/launch/relu_after.h"

#include "core/analysis/names/kernel_name.h"
#include "core/story/facts/launch/matrix_product.h"
#include "core/story/facts/words/opening_line.h"

namespace warpwalk::story {

std::optional<ReluAfter> relu_after(const Trace& trace, const Walk& walk) {
  if (walk.ops.empty()) return {};
  const std::optional<OpeningLine> line = opening_line(trace, walk);
  if (!line || line->second == no_slice || line->second == walk.ops.front() || trace.name(line->second) != "aten::relu")
    return {};
  const std::optional<MatrixProduct> product = matrix_product(trace, walk);
  if (!product || product->sums(0, 0).empty()) return {};
  const Walk after = follow_op(trace, line->second);
  if (after.kernel == no_slice || after.gpu_pieces != 1) return {};
  ReluAfter next{line->second, after.kernel, 1, product->m, product->n};
  // relu of kernels/: thread i has element i.
  if (const trace::KernelRecord* const record = kernel_record(trace, after);
      record != nullptr && record->entry == "relu")
    return next;
  const std::optional<std::int64_t> width = analysis::read_kernel_name(trace.name(after.kernel)).vector_width;
  if (!width || *width <= 0) return {};
  next.width = *width;
  return next;
}

}  // namespace warpwalk::story
