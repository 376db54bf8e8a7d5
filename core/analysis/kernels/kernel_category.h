#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/kernels/communication.h"
#include "core/analysis/kernels/work_amount.h"
#include "core/analysis/names/work_category.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// The category that a kernel's name says; where it says nothing, the rule by which the shapes of its op give its work.
WorkCategory category_of_kernel(std::string_view kernel_name, WorkRule rule);

/// The categories of a trace's GPU work: the name of a kernel decides; where it says nothing, the category that XLA
/// gives it, then the op around its launch.
class WorkCategories {
 public:
  /// Reads the whole trace, which must outlive this.
  explicit WorkCategories(const trace::Trace& trace) : trace_(trace), amounts_(trace), communication_(trace) {}

  WorkCategory of(trace::SliceId work) { return of(work, amounts_.of(work)); }
  WorkCategory of(trace::SliceId work, const WorkAmount& amount);
  const WorkAmounts& amounts() const { return amounts_; }

 private:
  const trace::Trace& trace_;
  WorkAmounts amounts_;
  Communication communication_;
  std::unordered_map<trace::StringId, WorkCategory> named_;
};

/// Times and work of a category, added up over its launches.
struct CategorySum {
  WorkCategory category = WorkCategory::other;
  std::int64_t time = 0;  ///< ns; what ran at the same time is added
  std::uint64_t launches = 0;
  std::optional<double> flops, bytes;  ///< of the launches for which they are known (WorkAmount)
};

/// The categories of all timed GPU work that occur, by time, the largest first.
std::vector<CategorySum> category_sums(const trace::Trace& trace);

}  // namespace warpwalk::analysis
