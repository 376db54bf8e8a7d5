// Objects that are copied through local memory with their padding, as unoptimized code does.
#include <gtest/gtest.h>

#include "tests/exec/run_ptx.h"

namespace warpwalk::testing {
namespace {

/// One thread writes the bytes 0 to 3 and 8 to 15 of an object, copies the object, and runs `use`.
Reports reports_of(const std::string& use) {
  const std::string body =
      ".local .align 16 .b8 from[16]; .local .align 16 .b8 to[16]; .local .align 16 .b8 again[16];\n"
      ".reg .b32 %r<8>; .reg .b64 %q<8>;\n"
      "mov.u32 %r0, 7; mov.u64 %q0, 9; st.local.u32 [from], %r0; st.local.u64 [from+8], %q0;\n"
      "ld.local.u64 %q1, [from]; ld.local.u64 %q2, [from+8];\n"
      "st.local.u64 [to], %q1; st.local.u64 [to+8], %q2;\n" +
      use;
  const PtxOutcome outcome = run_ptx({.body = body, .block = {1, 1, 1}});
  EXPECT_EQ(outcome.error, "");
  return outcome.reports();
}

TEST(Padding, CopiedBytesAreNotReported) {
  EXPECT_EQ(reports_of("ld.local.u32 %r1, [to]; ld.local.u64 %q3, [to+8]; st.global.u32 [%y], %r1;\n"
                       "st.global.u64 [%y+8], %q3;"),
            Reports());
  // Copied twice, in another width.
  EXPECT_EQ(reports_of("ld.local.v4.u32 {%r4, %r5, %r6, %r7}, [to]; st.local.v4.u32 [again], {%r4, %r5, %r6, %r7};"),
            Reports());
}

// A bit field in a word of which nothing else is written: the other bits stay padding.
TEST(Padding, BitFieldsKeepIt) {
  const std::string field =
      "ld.local.u32 %r1, [to+4]; and.b32 %r2, %r1, -255; or.b32 %r3, %r2, 36;\n"
      "st.local.u32 [to+4], %r3;\n";
  EXPECT_EQ(reports_of(field), Reports());
  EXPECT_EQ(reports_of(field + "ld.local.u8 %r4, [to+4]; add.u32 %r4, %r4, 1; st.global.u32 [%y], %r4;"), Reports());
  EXPECT_EQ(reports_of(field + "ld.local.u8 %r4, [to+5]; add.u32 %r4, %r4, 1; st.global.u32 [%y], %r4;").size(), 1U);
  // The bits of the field and its neighbours are a use.
  EXPECT_EQ(reports_of("ld.local.u32 %r1, [to+4]; and.b32 %r2, %r1, 255; add.u32 %r3, %r2, 1;").size(), 1U);
}

TEST(Padding, AUseIsReportedWhereItIsLoaded) {
  EXPECT_EQ(reports_of("ld.local.u32 %r1, [to+4]; add.u32 %r2, %r1, 1; st.global.u32 [%y], %r2;").size(), 1U);
  EXPECT_EQ(reports_of("ld.local.u32 %r1, [to+4]; st.global.u32 [%y], %r1;").size(), 1U);
  // The copy of a copy has the same padding.
  EXPECT_EQ(reports_of("ld.local.u64 %q3, [to]; st.local.u64 [again], %q3; ld.local.u32 %r1, [again+4];\n"
                       "add.u32 %r1, %r1, 1; st.global.u32 [%y], %r1;")
                .size(),
            1U);
  // Bytes that are written later can be read.
  EXPECT_EQ(reports_of("st.local.u32 [to+4], %r0; ld.local.u32 %r1, [to+4]; add.u32 %r2, %r1, 1;"), Reports());
}

}  // namespace
}  // namespace warpwalk::testing
