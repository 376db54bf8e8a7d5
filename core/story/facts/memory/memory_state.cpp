#include "core/story/facts/memory/memory_state.h"

namespace warpwalk::story::caching_rules {

std::int64_t rounded(std::int64_t bytes) {
  return bytes <= rounding ? rounding : (bytes + rounding - 1) / rounding * rounding;
}
bool is_small(std::int64_t bytes) { return bytes <= largest_small; }
std::int64_t segment_for(std::int64_t bytes) {
  if (is_small(bytes)) return small_segment;
  if (bytes < own_segment) return middle_segment;
  return (bytes + own_segment_rounding - 1) / own_segment_rounding * own_segment_rounding;
}

}  // namespace warpwalk::story::caching_rules
