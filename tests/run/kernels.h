#pragma once

#include <string>
#include <string_view>

namespace warpwalk::testing {

/// Hand-written PTX of a kernel c[i] = a[i] + b[i] for i < n, with source lines.
inline constexpr std::string_view vecadd_ptx = R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "vecadd.cu"
.visible .entry vecadd(
	.param .u64 vecadd_param_0,
	.param .u64 vecadd_param_1,
	.param .u64 vecadd_param_2,
	.param .u32 vecadd_param_3
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<11>;
	ld.param.u64 %rd1, [vecadd_param_0];
	ld.param.u64 %rd2, [vecadd_param_1];
	ld.param.u64 %rd3, [vecadd_param_2];
	ld.param.u32 %r2, [vecadd_param_3];
	.loc 1 2 3
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mov.u32 %r5, %tid.x;
	mad.lo.s32 %r1, %r3, %r4, %r5;
	.loc 1 3 3
	setp.ge.s32 %p1, %r1, %r2;
	@%p1 bra $done;
	.loc 1 4 3
	cvta.to.global.u64 %rd4, %rd1;
	mul.wide.s32 %rd5, %r1, 4;
	add.s64 %rd6, %rd4, %rd5;
	cvta.to.global.u64 %rd7, %rd2;
	add.s64 %rd8, %rd7, %rd5;
	ld.global.f32 %f1, [%rd6];
	ld.global.f32 %f2, [%rd8];
	add.f32 %f3, %f1, %f2;
	cvta.to.global.u64 %rd9, %rd3;
	add.s64 %rd10, %rd9, %rd5;
	st.global.f32 [%rd10], %f3;
$done:
	ret;
}
)";

/// PTX of a kernel in which every thread counts to n and writes the count to out[0].
inline constexpr std::string_view count_ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry count(
	.param .u64 count_param_0,
	.param .u32 count_param_1
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd1, [count_param_0];
	ld.param.u32 %r1, [count_param_1];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r2, 0;
$more:
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra $more;
	st.global.u32 [%rd2], %r2;
	ret;
}
)";

}  // namespace warpwalk::testing
