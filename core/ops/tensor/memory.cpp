#include "core/ops/tensor/memory.h"

namespace warpwalk::ops {

std::string_view name_of(DeviceKind device) { return device == DeviceKind::cpu ? "cpu" : "cuda"; }

}  // namespace warpwalk::ops
