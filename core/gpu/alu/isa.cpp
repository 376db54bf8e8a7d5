#include "core/gpu/alu/isa.h"

namespace warpwalk::gpu {

Isa host_isa() {
#if defined(__x86_64__)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return wide ? Isa::wide : Isa::baseline;
#else
  return Isa::baseline;
#endif
}

}  // namespace warpwalk::gpu
