// Two traces in the window: the second one is chosen, read in the background and compared; rows lead into the walk.
#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "core/story/pictures/panels.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

TEST(CompareInTheWindow, ASecondTraceIsChosenAndKeptWithTheLink) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  driver.press(U'O');
  EXPECT_EQ(driver.shell.sheet(), "files");
  driver.type(walk_file("two_streams"));
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(driver.shell.opened().view.scene, "lab/overview");
  EXPECT_EQ(driver.shell.opened().view.compare, walk_file("two_streams"));
  EXPECT_THAT(driver.shell.opened().stage->title, ::testing::HasSubstr("two_streams.json.gz"));
  driver.press(U'l');
  EXPECT_THAT(driver.copied, ::testing::HasSubstr("--compare " + walk_file("two_streams")));
  EXPECT_EQ(driver.shell.opened().document->file, walk_file("mlp_train")) << "the first trace stays open";
}

TEST(CompareInTheWindow, AFileThatIsNoTraceIsReported) {
  Driver driver;
  driver.open(walk_file("two_streams"));
  View view = driver.shell.opened().view;
  view.compare = ::testing::TempDir();
  driver.shell.open(view);
  driver.wait();
  driver.frame();
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::error);
  EXPECT_TRUE(driver.shell.opened().view.compare.empty());
  EXPECT_NE(driver.shell.opened().document, nullptr);
}

TEST(CompareInTheWindow, AnotherFileIsOpenedWithoutTheSecondOne) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  View view = driver.shell.opened().view;
  view.compare = walk_file("two_streams");
  view.scene = document::compare_scene;
  view.moment = document::compare_moment();
  driver.shell.open(view);
  driver.wait();
  driver.open(walk_file("relu_matmul"));
  driver.wait();
  EXPECT_TRUE(driver.shell.opened().view.compare.empty());
}

TEST(Overview, ARowLeadsToItsKernelInTheBoardroom) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  View view = driver.shell.opened().view;
  view.scene = document::compare_scene;
  view.moment = {story::Moment::Kind::beat, 2, 1};
  driver.shell.open(view);
  driver.wait();
  driver.settle();
  const auto& panels = *std::get<std::shared_ptr<const story::Panels>>(driver.shell.opened().stage->picture);
  const auto& table = std::get<story::TablePicture>(panels.rows.at(0).panels.at(0).picture);
  const std::string wanted = story::follow_name(driver.shell.opened().document->trace(), table.rows.at(0).follow);
  // Tab goes through everything that can be chosen; Enter on the first row follows its kernel.
  for (int i = 0; i < 200 && driver.shell.opened().view.scene == document::compare_scene; ++i) {
    driver.press(Key::tab);
    if (driver.reports.back().find("\"focus\":\"row 0 ") != std::string::npos) driver.press(Key::enter);
  }
  EXPECT_EQ(driver.shell.opened().view.scene, "boardroom");
  EXPECT_EQ(driver.shell.opened().view.follow, wanted);
}

}  // namespace
}  // namespace warpwalk::shell
