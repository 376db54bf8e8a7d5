#include "core/base/nearest.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace warpwalk::base {
namespace {

TEST(NearestName, IsNearEnough) {
  const std::vector<std::string_view> names = {"info", "render", "run", "record", "doctor", "query"};
  EXPECT_EQ(nearest_name("inf", names), "info");
  EXPECT_EQ(nearest_name("ifno", names), "info");
  EXPECT_EQ(nearest_name("Rendr", names), "render");
  EXPECT_EQ(nearest_name("rec", names), "record");
  EXPECT_EQ(nearest_name("qeury", names), "query");
  EXPECT_EQ(nearest_name("trace", names), "");
  EXPECT_EQ(nearest_name("x", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

}  // namespace
}  // namespace warpwalk::base
