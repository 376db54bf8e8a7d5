#include "core/gpu/timing/estimate/control_codes.h"

namespace warpwalk::gpu {

void set_control_codes(std::vector<CodeBlock>& blocks, bool is_entry) {
  assign_counters(blocks);
  set_wait_masks(blocks, is_entry);
  set_stall_counts(blocks);
}

}  // namespace warpwalk::gpu
