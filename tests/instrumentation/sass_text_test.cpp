#include "instrumentation/sass_text.h"

#include <gtest/gtest.h>

namespace warpwalk::recording {
namespace {

TEST(SassText, FilesGoByTheirNamesAlone) {
  EXPECT_EQ(strip_folders("\t//## File \"/home/x/half.hpp\", line 7 inlined at \"/home/x/relu.cu\", line 20\n"
                          "\t//## File \"relu.cu\", line 20\n"
                          "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n"),
            "\t//## File \"half.hpp\", line 7 inlined at \"relu.cu\", line 20\n"
            "\t//## File \"relu.cu\", line 20\n"
            "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n");
  EXPECT_EQ(strip_folders(""), "");
}

}  // namespace
}  // namespace warpwalk::recording
