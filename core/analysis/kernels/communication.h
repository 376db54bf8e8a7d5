#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/names/work_category.h"
#include "core/trace/trace.h"

namespace warpwalk::analysis {

/// Finds the kernels of a trace that exchange data with other GPUs: by the record's own fields ("Collective name",
/// "Process Group Name", which PyTorch adds to the kernels of a collective), then by the kernel's name, then by the op
/// that launched it (c10d::, symm_mem::). Each name and op is read once.
class Communication {
 public:
  explicit Communication(const trace::Trace& trace);

  /// False for copies and fills.
  bool is(trace::SliceId work) const;
  /// Whether a slice of a thread is a collective, or is inside one: c10d::, nccl:, gloo:, record_param_comms.
  bool around(trace::SliceId slice) const;

 private:
  enum class Known : std::uint8_t { unread, no, yes };
  bool known(Known& cached, trace::StringId name, bool (*test)(std::string_view)) const;
  bool has_collectives() const;

  const trace::Trace& trace_;
  mutable std::vector<Known> kernels_, ops_, fields_;  // by StringId
  mutable Known has_collectives_ = Known::unread;
};

}  // namespace warpwalk::analysis
