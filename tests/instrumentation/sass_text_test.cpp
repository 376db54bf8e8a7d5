#include "instrumentation/sass_text.h"

#include <gtest/gtest.h>

namespace warpwalk::recording {
namespace {

TEST(SassText, FilesGoByTheirNamesAlone) {
  EXPECT_EQ(without_folders("\t//## File \"/home/x/half.hpp\", line 7 inlined at \"/home/x/relu.cu\", line 20\n"
                            "\t//## File \"relu.cu\", line 20\n"
                            "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n"),
            "\t//## File \"half.hpp\", line 7 inlined at \"relu.cu\", line 20\n"
            "\t//## File \"relu.cu\", line 20\n"
            "        /*0000*/   LDC R1, c[0x0][0x28] ; /* \"a/b\" */\n");
  EXPECT_EQ(without_folders(""), "");
}

TEST(SassText, TheFunctionsOwnFileIsTheOutermost) {
  EXPECT_EQ(source_file_of("\t//## File \"half.hpp\", line 7 inlined at \"relu.cu\", line 20\n"
                           "\t//## File \"relu.cu\", line 20\n"
                           "        /*0000*/   LDC ;\n"
                           "\t//## File \"other.cuh\", line 1\n"
                           "        /*0010*/   EXIT ;\n"),
            "relu.cu");
  EXPECT_EQ(source_file_of(".text.relu:\n        /*0000*/   LDC ;\n"), "");
}

}  // namespace
}  // namespace warpwalk::recording
