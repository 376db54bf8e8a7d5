#include "core/base/shared_text.h"

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

TEST(SharedText, CopiesShareTheText) {
  const SharedText text = std::string("__global__");
  const SharedText copy = text;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.view().data(), text.view().data());
  EXPECT_EQ(copy.size(), 10u);
  SharedText other = copy;
  other = "changed";
  EXPECT_EQ(text, "__global__");
  EXPECT_EQ(other, std::string("changed"));
}

TEST(SharedText, IsComparedByItsText) {
  EXPECT_EQ(SharedText("a"), SharedText(std::string_view("a")));
  EXPECT_NE(SharedText("a"), SharedText("b"));
  EXPECT_EQ(SharedText(), SharedText(""));
  EXPECT_TRUE(SharedText("").empty());
  EXPECT_EQ(SharedText().view(), "");
}

}  // namespace
}  // namespace warpwalk::base
