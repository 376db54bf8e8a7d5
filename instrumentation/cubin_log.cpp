#include "instrumentation/cubin_log.h"

#include <functional>

#include "instrumentation/row_codec.h"

namespace warpwalk::instrumentation {

void CubinLog::add(std::string_view cubin) {
  const std::uint64_t hash = std::hash<std::string_view>{}(cubin);
  CubinRow row;
  row.bytes = cubin.size();
  {
    const std::lock_guard lock(mutex_);
    if (!known_.emplace(hash, cubin.size()).second) return;
    row.number = static_cast<std::uint32_t>(known_.size());
    row.kept = row.bytes <= max_bytes_ - kept_bytes_ ? 1 : 0;
    if (row.kept != 0) kept_bytes_ += row.bytes;
  }
  to_.add(row);
  while (row.kept != 0 && !cubin.empty()) {
    const std::string_view part = cubin.substr(0, max_text_bytes);
    to_.add(CubinPart{row.number, part});
    cubin.remove_prefix(part.size());
  }
}

}  // namespace warpwalk::instrumentation
