#include "core/story/pictures/size_axis.h"

#include <gtest/gtest.h>

namespace warpwalk::story {
namespace {

std::vector<std::string> words_of(const std::vector<std::pair<double, std::string>>& ticks) {
  std::vector<std::string> words;
  for (const auto& [at, text] : ticks) words.push_back(text);
  return words;
}

TEST(SizeAxis, AnEvenOneHasNumbersAPowerOfTwoApart) {
  const std::vector<std::string> sm = {"0 B", "64 KiB", "128 KiB", "192 KiB"};  // a block of an H200: up to 227 KiB
  EXPECT_EQ(words_of(even_size_ticks(227 * 1024, 4)), sm);
  EXPECT_EQ(even_size_ticks(227 * 1024, 4)[1].first, 65536);
  EXPECT_EQ(words_of(even_size_ticks(227 * 1024, 8)).back(), "224 KiB");
  const std::vector<std::string> turing = {"0 B", "16 KiB", "32 KiB", "48 KiB", "64 KiB"};
  EXPECT_EQ(words_of(even_size_ticks(64 * 1024, 4)), turing);
  EXPECT_EQ(words_of(even_size_ticks(0, 4)), std::vector<std::string>{"0 B"});
}

TEST(SizeAxis, ALogarithmicOneHoldsTheSizesBetweenPowersOfTwo) {
  const ScatterAxis axis = size_axis("size", 1000, 3e6);
  EXPECT_EQ(axis.label, "size");
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_EQ(axis.from, 512);
  EXPECT_EQ(axis.to, 4194304);
  const std::vector<std::string> words = {"512 B", "4 KiB", "32 KiB", "256 KiB", "2 MiB"};
  EXPECT_EQ(words_of(axis.ticks), words);
  const ScatterAxis one = size_axis("", 1, 1);  // no size: it still has two ends
  EXPECT_EQ(one.from, 1);
  EXPECT_EQ(one.to, 2);
}

}  // namespace
}  // namespace warpwalk::story
