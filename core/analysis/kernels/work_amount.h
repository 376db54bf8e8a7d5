#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/kernels/op_work.h"
#include "core/analysis/walk.h"

namespace warpwalk::analysis {

/// The work of one launch, as far as shapes or the record say.
struct WorkAmount {
  std::optional<double> flops;  ///< a multiply-add counts as two
  /// Compulsory traffic (each input read once, each output written once); of a copy or fill, its bytes as recorded.
  std::optional<double> bytes;
  WorkRule rule = WorkRule::none;
  MathType math = MathType::unknown;
  SliceId op = no_slice;  ///< the op whose shapes were used
  /// The op has a rule, but its work counts for other kernels of the op, such as the product for a reduction after it.
  bool counted_elsewhere = false;
  /// A convolution by Winograd's or Fourier's transform: it needs fewer operations than `flops`, those of the direct
  /// one.
  bool fewer = false;
};

/// The work of a kernel, copy or fill. A kernel's is that of the innermost op around its launch. If an op launches
/// several kernels, its work goes to the kernel name that took the most time in it, divided among the launches of that
/// name by their time; so it is never counted twice. The work of a product, a convolution or attention never goes to a
/// kernel that only moves or prepares data (helper_kernel.h). An op of several independent products (the gradients of a
/// convolution) gives each of that many names an equal part.
WorkAmount work_amount(const Trace& trace, SliceId gpu_work);

/// The same for all GPU work of a trace, in one pass.
class WorkAmounts {
 public:
  explicit WorkAmounts(const Trace& trace);

  WorkAmount of(SliceId gpu_work) const;

 private:
  const Trace& trace_;
  std::vector<std::pair<SliceId, WorkAmount>> kernels_;  // of ops with a rule, by kernel
};

}  // namespace warpwalk::analysis
