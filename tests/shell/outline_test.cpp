// The outline: its tabs, its search, and what is followed from it.
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

TEST(ShellOutline, SearchKeepsOnlyWhatHoldsTheText) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  const std::size_t all = driver.shell.frame_panels().outline.rows.size();
  ASSERT_EQ(all, 270u);
  driver.press(U'/');
  EXPECT_TRUE(driver.shell.frame_panels().outline.typing);
  EXPECT_EQ(driver.shell.frame_panels().outline.search.text, "");  // the key that opens it is not typed into it
  driver.type("RELU");
  EXPECT_EQ(driver.shell.frame_panels().outline.search.text, "RELU");
  const auto& rows = driver.shell.frame_panels().outline.rows;
  ASSERT_FALSE(rows.empty());
  EXPECT_LT(rows.size(), all);
  for (const std::uint32_t row : rows) {
    const std::string name(
        driver.shell.opened().document->trace().name(driver.shell.opened().document->outline.ops[row].slice));
    EXPECT_THAT(name, ::testing::AnyOf(HasSubstr("relu"), HasSubstr("Relu")));
  }
  driver.press(Key::escape);
  driver.frame();
  EXPECT_EQ(driver.shell.frame_panels().outline.rows.size(), all);
}

TEST(ShellOutline, OpensOnATabWithRows) {
  Driver driver;
  driver.open(walk_file("h200_cuda_graph"));  // a C++ program: launches, but no ops
  ASSERT_TRUE(driver.shell.opened().document->outline.ops.empty());
  EXPECT_EQ(driver.shell.frame_panels().outline.tab, panels::OutlineState::Tab::launches);
  EXPECT_FALSE(driver.shell.frame_panels().outline.rows.empty());
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.frame_panels().outline.tab, panels::OutlineState::Tab::ops);
}

TEST(ShellOutline, ClickingAnOpFollowsIt) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.opened().view.follow, "");
  // The outline's rows (28 units each) begin below its tabs, search field and heading; aten::relu is the third.
  driver.click(120, 56 + 14 + 38 + 42 + 22 + 2 * 28 + 14);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view.follow, "op:2");
  EXPECT_THAT(driver.shell.opened().stage->sentence, HasSubstr("aten::relu"));
}

TEST(ShellOutline, LaunchesAreListedAndFollowedByKeysAlone) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  const std::size_t launches = driver.shell.opened().document->trace().launched.size();
  int tabs = 0;
  const auto focus = [&] { return driver.reports.back().substr(driver.reports.back().find("\"focus\":\"") + 9); };
  while (!focus().starts_with("outline.launches") && ++tabs < 60) driver.press(Key::tab);
  driver.press(Key::enter);
  driver.frame();
  EXPECT_EQ(driver.shell.frame_panels().outline.rows.size(), launches);
  while (!focus().starts_with("outline.list") && ++tabs < 60) driver.press(Key::tab);
  const View before = driver.shell.opened().view;
  driver.press(Key::down);
  driver.press(Key::down);
  EXPECT_EQ(driver.shell.opened().view, before) << "the list's arrows are not the scenes'";
  driver.press(Key::enter);
  driver.settle();
  const trace::Trace& trace = driver.shell.opened().document->trace();
  EXPECT_EQ(driver.shell.opened().view.follow, story::follow_name(trace, trace.launched[2].second));
}

TEST(ShellOutline, EnterInTheSearchFollowsTheFirstThatIsFound) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  driver.press(U'/');
  driver.type("addmm");
  driver.press(Key::enter);
  driver.settle();
  const trace::Trace& trace = driver.shell.opened().document->trace();
  ASSERT_TRUE(driver.shell.opened().view.follow.starts_with("op:")) << driver.shell.opened().view.follow;
  const auto n = std::stoul(driver.shell.opened().view.follow.substr(3));
  EXPECT_THAT(trace.name(trace.op_order[n]), HasSubstr("addmm"));
}

}  // namespace
}  // namespace warpwalk::shell
