#include "core/gpu/exec/finding.h"

#include "core/base/enum_names.h"

namespace warpwalk::gpu {

std::string_view name_of(FindingKind kind) { return base::enum_name(kind); }

bool ends_launch(FindingKind kind) {
  switch (kind) {
    case FindingKind::uninitialized:
    case FindingKind::shared_race:
    case FindingKind::global_race:
    case FindingKind::barrier:
    case FindingKind::inactive_lane: return false;
    case FindingKind::out_of_bounds:
    case FindingKind::misaligned:
    case FindingKind::read_only:
    case FindingKind::stack_overflow:
    case FindingKind::bad_call_target:
    case FindingKind::bad_branch_target:
    case FindingKind::bad_free:
    case FindingKind::bad_texture:
    case FindingKind::bad_tensor_map:
    case FindingKind::failed_assert:
    case FindingKind::trap:
    case FindingKind::deadlock:
    case FindingKind::runaway:
    case FindingKind::unsupported: return true;
  }
  return false;
}

}  // namespace warpwalk::gpu
