#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds: return "out_of_bounds";
    case FindingKind::misaligned: return "misaligned";
    case FindingKind::read_only: return "read_only";
    case FindingKind::stack_overflow: return "stack_overflow";
    case FindingKind::bad_call_target: return "bad_call_target";
    case FindingKind::bad_branch_target: return "bad_branch_target";
    case FindingKind::bad_free: return "bad_free";
    case FindingKind::bad_texture: return "bad_texture";
    case FindingKind::bad_tensor_map: return "bad_tensor_map";
    case FindingKind::failed_assert: return "failed_assert";
    case FindingKind::trap: return "trap";
    case FindingKind::uninitialized: return "uninitialized";
    case FindingKind::shared_race: return "shared_race";
    case FindingKind::global_race: return "global_race";
    case FindingKind::barrier: return "barrier";
    case FindingKind::inactive_lane: return "inactive_lane";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::runaway: return "runaway";
    case FindingKind::unsupported: return "unsupported";
  }
  return "";
}

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
