// Links to a view, and bookmarks.
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

TEST(ShellLinks, CopiesTheCommandOfTheView) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:2");
  driver.press(Key::right);
  driver.settle();
  driver.press(U'l');
  EXPECT_EQ(driver.copied, "warpwalk " + walk_file("relu_matmul") + " --scene boardroom --at company --follow op:2");
}

TEST(ShellLinks, AWrongLinkSaysSoAndShowsSomething) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:99");
  ASSERT_TRUE(driver.shell.opened().stage);
  EXPECT_EQ(driver.shell.note().text, "op:99: this trace has op:0 to op:3");
}

TEST(ShellLinks, AnotherPageOpensAViewInPlaceOfTheStartPage) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:2");
  driver.press(U'i');
  driver.ask("scene=boardroom&at=b3&follow=op:2&file=" + walk_file("relu_matmul"));
  EXPECT_EQ(story::text_of(driver.shell.opened().view.moment), "b3");
  EXPECT_EQ(driver.shell.sheet(), "");
  driver.ask("scene=boardroom&at=launch&follow=op:2&file=" + walk_file("relu_matmul"));
  EXPECT_EQ(driver.shell.opened().stage->key, "launch");
  driver.ask("scene=boardroom&at=lunch&follow=op:2&file=" + walk_file("relu_matmul"));
  EXPECT_THAT(driver.shell.note().text, HasSubstr("the link cannot be read: scene=boardroom&at=lunch"));
  driver.ask("scene=boardroom&at=b3&follow=op:2&file=" + walk_file("relu_matmul"));
  driver.ask("scene=attic&file=" + walk_file("relu_matmul"));
  EXPECT_THAT(driver.shell.note().text, HasSubstr("the link cannot be read: scene=attic"));
  EXPECT_EQ(story::text_of(driver.shell.opened().view.moment), "b3");
}

TEST(ShellLinks, ADroppedFileIsShownInPlaceOfTheStartPage) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:2");
  driver.press(U'i');
  driver.drop(walk_file("mlp_train"));
  EXPECT_EQ(driver.shell.opened().view.file, walk_file("mlp_train"));
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST(ShellBookmarks, AreSetAndComeBackAcrossFiles) {
  Driver driver;
  driver.open(walk_file("relu_matmul"), "op:2");
  driver.press(Key::right);
  driver.settle();
  const View marked = driver.shell.opened().view;
  driver.press(U'3', true);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("bookmark 3"));
  driver.open(walk_file("mlp_train"));
  driver.press(U'3', true);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().view, marked);
  driver.press(Key::end);
  driver.settle();
  driver.press(U'3', true);
  driver.settle();
  EXPECT_EQ(driver.shell.opened().view, marked);
}

TEST(ShellBookmarks, KeepTheRoute) {
  Driver driver;
  driver.open(walk_file("relu_matmul"));
  driver.press(U'3', true);
  for (int i = 0; i < 2; ++i) {
    driver.press(U'D');  // another one
    const bool first = driver.shell.opened().view.first_route;
    EXPECT_EQ(first, driver.shell.settings().first_route);
    driver.press(U'3', true);
    driver.settle();
    EXPECT_EQ(driver.shell.opened().view.first_route, first);
  }
}

}  // namespace
}  // namespace warpwalk::shell
