#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/kernels/kernel_category.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// Kernels that follow each other on one stream and that one kernel could do: each works element by element
/// (WorkCategory::elementwise), and their ops have as many elements. Whether each reads what the one before it wrote is
/// not in a trace.
class FusableRun {
 public:
  /// Both must outlive this.
  FusableRun(const trace::Trace& trace, WorkCategories& categories) : trace_(&trace), categories_(&categories) {}

  /// Takes a kernel of which `time` ns count; false if it does not go on the run, which then is as before.
  bool add(trace::SliceId kernel, std::int64_t time);
  /// The first kernel; no_slice: the run is empty.
  trace::SliceId first() const { return kernels_.empty() ? no_slice : kernels_.front(); }
  /// By how many ns one kernel for all could be faster at most: it would have to read and write each element once, and
  /// moves bytes as fast as the fastest of them does. 0 for less than two kernels.
  std::int64_t at_most() const;

 private:
  const trace::Trace* trace_;
  WorkCategories* categories_;
  std::vector<trace::SliceId> kernels_;
  double elements_ = 0;
  std::int64_t time_ = 0;
  double least_ = 0;  // ns that a kernel which reads and writes each element once takes
};

}  // namespace warpwalk::analysis
