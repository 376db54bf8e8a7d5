#include "core/analysis/kernels/fusable.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/kernels/op_arguments.h"
#include "core/trace/link.h"

namespace warpwalk::analysis {

bool FusableRun::add(trace::SliceId kernel, std::int64_t time) {
  const trace::Slices& rows = trace_->slices;
  if (rows.kind[kernel] != trace::SliceKind::kernel || rows.duration[kernel] <= 0) return false;
  const WorkAmount amount = categories_->amounts().of(kernel);
  if (categories_->of(kernel, amount) != WorkCategory::elementwise || !amount.bytes || *amount.bytes <= 0) return false;
  const trace::SliceId op = trace::op_of(*trace_, kernel);
  if (op == no_slice || rows.kind[op] != trace::SliceKind::op) return false;
  const OpArguments arguments = op_arguments(*trace_, trace_->ops[rows.detail[op]]);
  const OpArgument* largest = nullptr;
  for (const OpArgument& one : arguments.all())
    if (one.tensor && (largest == nullptr || one.count() > largest->count())) largest = &one;
  if (largest == nullptr || largest->count() <= 0) return false;
  if (!kernels_.empty() && (rows.track[kernels_.back()] != rows.track[kernel] || largest->count() != elements_))
    return false;
  const double once = 2 * largest->count() * static_cast<double>(largest->element);  // read and written
  const double least = static_cast<double>(rows.duration[kernel]) * std::min(1.0, once / *amount.bytes);
  least_ = kernels_.empty() ? least : std::min(least_, least);
  elements_ = largest->count();
  kernels_.push_back(kernel);
  time_ += time;
  return true;
}

std::int64_t FusableRun::at_most() const {
  if (kernels_.size() < 2) return 0;
  return std::max<std::int64_t>(0, time_ - std::llround(least_));
}

}  // namespace warpwalk::analysis
