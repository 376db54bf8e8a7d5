// What nvdisasm of CUDA 13.0 prints of assets/ptx/relu.ptx compiled for sm_90 (tests/run/data), against the lines of
// that PTX and of kernels/relu.cu.
#include "core/run/disassemble.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "core/run/read_file.h"

namespace warpwalk::run {
namespace {

std::string text_of(const char* file) {
  return std::get<Text>(read_text_file(std::filesystem::path(WARPWALK_TEST_DATA) / file)).text;
}

Disassembly relu() {
  return read_disassembly(text_of("relu_source_lines.sass"), text_of("relu_ptx_lines.sass"), "relu");
}

TEST(Disassemble, EachInstructionHasItsLines) {
  const auto& rows = relu().line_map;
  ASSERT_GT(rows.size(), 17u);
  EXPECT_EQ(rows[0], (trace::LineMapRow{0x00, 20, 5}));
  EXPECT_EQ(rows[4], (trace::LineMapRow{0x40, 35, 6})) << "mad.lo.s32 and IMAD";
  EXPECT_EQ(rows[12], (trace::LineMapRow{0xc0, 46, 7})) << "ld.global.f32 and LDG.E";
  EXPECT_EQ(rows[15], (trace::LineMapRow{0xf0, 50, 7})) << "st.global.f32 and STG.E";
  EXPECT_EQ(rows[16], (trace::LineMapRow{0x100, 54, 8})) << "ret and EXIT";
}

TEST(Disassemble, TheTextIsTheEntrysOwn) {
  const std::string sass = relu().sass;
  EXPECT_TRUE(sass.starts_with(".text.relu:\n")) << sass.substr(0, 40);
  EXPECT_NE(sass.find("LDG.E R2"), std::string::npos);
  const std::string two = text_of("relu_source_lines.sass") +
                          "\n//--------------------- .text.other --------\n\n.text.other:\n        /*0000*/ EXIT ;\n";
  EXPECT_EQ(read_disassembly(two, "", "relu").sass.find("other"), std::string::npos);
  EXPECT_EQ(read_disassembly(two, "", "other").line_map.size(), 1u);
}

TEST(Disassemble, WhatIsNotThereIsEmpty) {
  EXPECT_TRUE(read_disassembly(text_of("relu_source_lines.sass"), "", "rel").sass.empty());
  EXPECT_TRUE(read_disassembly("", "", "relu").line_map.empty());
  const auto result = disassemble("not PTX", "relu", "9.0");
  ASSERT_EQ(result.index(), 1u) << "with or without the tools";
  EXPECT_EQ(std::get<1>(result).find('\n'), std::string::npos);
}

}  // namespace
}  // namespace warpwalk::run
