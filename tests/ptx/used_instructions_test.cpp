#include "core/ptx/used_instructions.h"

#include <gtest/gtest.h>

namespace warpwalk::ptx {
namespace {

using Used = std::set<std::string, std::less<>>;

constexpr std::string_view three_kernels = R"(// redux.sync is not used here
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 result) twice (.param .b32 x)
{
  .reg .b32 %r<2>;
  ld.param.u32 %r1, [x]; /* wgmma.mma_async */ redux.sync.add.s32 %r1, %r1, -1;
  st.param.b32 [result], %r1;
  ret;
}
.func never ( ) ;
.func also ()
{
  call.uni also, ();
  call.uni (%r1), twice, (%r2);
  ret;
}
.visible .entry first(
  .param .u64 first_param_0
)
.maxntid 128, 1, 1
{
  .reg .pred %p<2>;
  .local .align 4 .b8 depot[4];
  .loc 1 2 3
$L__BB0_1:
  @!%p1 bra $L__BB0_1;
  { cp.async.ca.shared.global [%r1], [%rd1], 16; }
  .pragma "nounroll mbarrier";
  mov.b64 %rd1, {%r1, %r2};
  ret;
}
.visible .entry second()
{
  .loc 1 9 0
  call.uni also, ();
  ret;
}
.file 1 "griddepcontrol.cu"
)";

TEST(UsedInstructions, AreThoseOfTheEntry) {
  EXPECT_EQ(used_instructions(three_kernels, "first"), (Used{"bra", "cp.async.ca.shared.global", "mov.b64", "ret"}));
}

TEST(UsedInstructions, AreThoseOfCalledFunctionsToo) {
  EXPECT_EQ(used_instructions(three_kernels, "second"),
            (Used{"call.uni", "ret", "ld.param.u32", "redux.sync.add.s32", "st.param.b32"}));
}

TEST(UsedInstructions, NoneWithoutTheEntry) {
  EXPECT_TRUE(used_instructions(three_kernels, "third").empty());
  EXPECT_TRUE(used_instructions(three_kernels, "").empty());
  EXPECT_TRUE(used_instructions("", "first").empty());
}

// A text that ends anywhere.
TEST(UsedInstructions, AcceptAnyText) {
  for (std::size_t length = 0; length <= three_kernels.size(); ++length)
    for (const std::string_view entry : {"first", "second"}) {
      const Used used = used_instructions(three_kernels.substr(0, length), entry);
      EXPECT_LE(used.size(), 6u);  // the last one may be cut
    }
  for (const std::string_view text :
       {".entry k {", ".entry k }{", ".entry k {}}", ".func (", ".entry k { @", ".entry k { a:b:; \""})
    used_instructions(text, "k");
}

}  // namespace
}  // namespace warpwalk::ptx
