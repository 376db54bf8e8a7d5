// Compares the parser with ptxas 13.0 for sm_90 as an independent reference. Each line of the two lists was inserted
// into data/frame.ptx and assembled.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/ptx/parsing.h"
#include "tests/ptx/walk.h"

namespace warpwalk::ptx {
namespace {

TEST(PtxForms, WhatPtxasAcceptsIsRead) {
  const std::string frame = file_text(data_file("frame.ptx"));
  const std::vector<std::string> lines = lines_of(file_text(data_file("accepted_by_ptxas.txt")));
  ASSERT_GT(lines.size(), 1400u);
  for (const std::string& line : lines) EXPECT_EQ(refusal(frame + line + "\n}\n"), "accepted") << line;
}

TEST(PtxForms, WhatPtxasRefusesIsRefused) {
  const std::string frame = file_text(data_file("frame.ptx"));
  const auto frame_lines = static_cast<std::uint32_t>(lines_of(frame).size());
  const std::vector<std::string> lines = lines_of(file_text(data_file("refused_by_ptxas.txt")));
  ASSERT_GT(lines.size(), 400u);
  for (const std::string& line : lines) {
    const auto result = parse(frame + line + "\n}\n");
    const Error* const error = std::get_if<Error>(&result);
    ASSERT_NE(error, nullptr) << line;
    EXPECT_EQ(error->line, frame_lines + 1) << line;
    EXPECT_THAT(line, ::testing::HasSubstr(error->token));
  }
}

TEST(PtxForms, AllAcceptedLinesMakeOneFunction) {
  const std::string text = file_text(data_file("frame.ptx")) + file_text(data_file("accepted_by_ptxas.txt")) + "\n}\n";
  const Module module = parsed(text);
  ASSERT_NE(module.entry("k"), nullptr);
  EXPECT_EQ(module.entry("k")->instructions.size(), lines_of(file_text(data_file("accepted_by_ptxas.txt"))).size());
  EXPECT_EQ(flaw_of(module).value_or("none"), "none");
}

}  // namespace
}  // namespace warpwalk::ptx
