#include "core/gpu/exec/finding.h"

namespace warpwalk::gpu {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds: return "out_of_bounds";
    case FindingKind::misaligned: return "misaligned";
    case FindingKind::uninitialized: return "uninitialized";
    case FindingKind::shared_race: return "shared_race";
    case FindingKind::global_race: return "global_race";
    case FindingKind::barrier: return "barrier";
    case FindingKind::deadlock: return "deadlock";
    case FindingKind::runaway: return "runaway";
  }
  return "";
}

}  // namespace warpwalk::gpu
