// As check.h, for calls of the driver; and PTX that the programs load.
#pragma once

#include "check.h"
#include <cuda.h>

inline const char* name_of(CUresult result) {
  const char* name = nullptr;
  return cuGetErrorName(result, &name) == CUDA_SUCCESS && name != nullptr ? name : "unknown";
}
inline CUresult show(CUresult result, const char* call) {
  std::printf("%s: %s\n", call, name_of(result));
  return result;
}
inline void need(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  std::printf("line %d: %s: %s\n", line, call, name_of(result));
  std::exit(1);
}

// values[i] = values[i] * weights[i % 4] + offset; the first thread of the grid counts the launches.
inline const char module_ptx[] = R"(
.version 8.0
.target sm_90
.address_size 64

.visible .global .align 4 .u32 launches = 5;
.visible .global .align 4 .f32 weights[4] = {0f3F800000, 0f40000000, 0f40400000, 0f40800000};
.visible .const .align 4 .f32 offset = 0f3F000000;

.visible .entry scale(.param .u64 scale_values, .param .u32 scale_count)
.maxntid 256, 1, 1
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .f32 %f<5>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [scale_values];
  ld.param.u32 %r1, [scale_count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  and.b32 %r6, %r5, 3;
  mul.wide.u32 %rd5, %r6, 4;
  mov.u64 %rd6, weights;
  add.s64 %rd7, %rd6, %rd5;
  ld.global.f32 %f2, [%rd7];
  ld.const.f32 %f3, [offset];
  fma.rn.f32 %f4, %f1, %f2, %f3;
  st.global.f32 [%rd4], %f4;
  setp.ne.u32 %p2, %r5, 0;
  @%p2 bra DONE;
  ld.global.u32 %r7, [launches];
  add.s32 %r8, %r7, 1;
  st.global.u32 [launches], %r8;
DONE:
  ret;
}

.visible .entry with_shared(.param .u64 with_shared_out)
{
  .shared .align 4 .b8 buffer[512];
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, buffer;
  add.s32 %r4, %r3, %r2;
  st.shared.u32 [%r4], %r1;
  bar.sync 0;
  xor.b32 %r5, %r2, 508;
  add.s32 %r4, %r3, %r5;
  ld.shared.u32 %r5, [%r4];
  ld.param.u64 %rd1, [with_shared_out];
  cvta.to.global.u64 %rd2, %rd1;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd2, %rd2, %rd3;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";
