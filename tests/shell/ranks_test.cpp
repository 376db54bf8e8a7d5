// The traces of ranks in the window: from the folder to the late rank's line of Python, back, links, and what cannot be
// opened together.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "app/shell/session/rank_steps.h"
#include "core/platform/temporary_folder.h"
#include "core/trace/read/read_trace.h"
#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

/// A folder with the recordings of both ranks, of which rank 1 sleeps in `load_batch`.
class RanksInTheWindow : public ::testing::Test {
 protected:
  RanksInTheWindow() {
    for (const char* const name : {"late_loader_rank0.json.gz", "late_loader_rank1.json.gz"})
      std::filesystem::copy_file(std::string(WARPWALK_SOURCE_DIR) + "/tests/analysis/ranks/data/" + name,
                                 folder.path() / name);
  }
  void open(Driver& driver) const {
    View view;  // as the command line makes it
    view.ranks = {folder.path()};
    driver.shell.open(view, {.place = true, .names = true});
    driver.wait();
  }
  static const document::Document& document(const Driver& driver) { return *driver.shell.opened().document; }
  static std::string open_file(const Driver& driver) { return document(driver).file.filename().string(); }

  const platform::TemporaryFolder folder;
};

TEST_F(RanksInTheWindow, AFolderOpensOnTheComparisonWithTheLateRanksTrace) {
  Driver driver;
  open(driver);
  ASSERT_NE(document(driver).ranks, nullptr);
  EXPECT_EQ(document(driver).ranks->ranks.size(), 2u);
  EXPECT_EQ(driver.shell.opened().view.scene, "ranks");
  EXPECT_EQ(open_file(driver), "late_loader_rank1.json.gz");
  EXPECT_EQ(document(driver).rank, 1u);
  EXPECT_EQ(driver.shell.opened().view.rank, 1);
  EXPECT_THAT(driver.shell.title(), HasSubstr("rank 1 of 2"));
  EXPECT_EQ(driver.shell.settings().recent.front(), folder.path().string());
}

TEST_F(RanksInTheWindow, EnterLeadsToTheLineThatSleptAndShiftGBack) {
  Driver driver;
  open(driver);
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(open_file(driver), "late_loader_rank1.json.gz");
  EXPECT_EQ(driver.shell.sheet(), "timeline");
  // The timeline shows the frame as long as it slept.
  const std::vector<std::string> texts = driver.texts();
  EXPECT_TRUE(
      std::ranges::any_of(texts, [](const std::string& text) { return text.find("load_batch") != std::string::npos; }));
  const panels::StripState& strip = driver.shell.frame_panels().strip;
  EXPECT_GT(strip.to - strip.from, 8e6);
  EXPECT_LT(strip.to - strip.from, 30e6);
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.opened().view.scene, "boardroom");
  driver.press(U'G');
  driver.wait();
  EXPECT_EQ(driver.shell.opened().view.scene, "ranks");
  ASSERT_NE(document(driver).ranks, nullptr);
  driver.press(U'G');
  driver.wait();
  EXPECT_EQ(driver.shell.sheet(), "timeline") << "again: to the late rank";
}

TEST_F(RanksInTheWindow, TheTraceOfAnotherRankIsOpenedWithoutComparingAgain) {
  Driver driver;
  View view;
  view.ranks = {folder.path()};
  view.rank = 0;
  driver.shell.open(view, {.place = true, .names = true});
  driver.wait();
  EXPECT_EQ(open_file(driver), "late_loader_rank0.json.gz");
  const auto before = document(driver).ranks;
  driver.press(Key::enter);
  driver.wait();
  EXPECT_EQ(open_file(driver), "late_loader_rank1.json.gz");
  EXPECT_EQ(document(driver).ranks, before);
  EXPECT_EQ(driver.shell.opened().view.rank, 1);
  EXPECT_EQ(driver.shell.sheet(), "timeline");
}

TEST_F(RanksInTheWindow, ALinkAndItsCommandOpenTheSameRank) {
  Driver driver;
  open(driver);
  driver.press(U'W');
  driver.press(U'l');
  EXPECT_THAT(driver.copied, HasSubstr("warpwalk " + folder.path().string() + " --rank 1 --scene boardroom"));
  const View left = driver.shell.opened().view;
  const auto link = document::view_of_link(document::link_of(left));
  ASSERT_TRUE(link);
  EXPECT_EQ(*link, left);
  Driver again;
  again.shell.open(*link);
  again.wait();
  EXPECT_EQ(again.shell.opened().view, left);
  EXPECT_EQ(open_file(again), "late_loader_rank1.json.gz");
}

TEST_F(RanksInTheWindow, SeveralFilesCanBeDropped) {
  Driver driver;
  open(driver);
  driver.open(walk_file("mlp_train"));
  EXPECT_EQ(document(driver).ranks, nullptr);
  driver.press(U'G');
  EXPECT_EQ(driver.shell.note().text, english().text("note", "no_ranks"));
  driver.drop(std::vector<std::filesystem::path>{folder.path() / "late_loader_rank1.json.gz",
                                                 folder.path() / "late_loader_rank0.json.gz"});
  EXPECT_EQ(driver.shell.opened().view.scene, "ranks");
  EXPECT_EQ(document(driver).ranks->ranks.size(), 2u);
}

TEST_F(RanksInTheWindow, WhatCannotBeOpenedTogetherLeavesTheOpenTrace) {
  Driver driver;
  driver.open(walk_file("mlp_train"));
  const platform::TemporaryFolder empty;
  driver.drop(empty.path());
  EXPECT_EQ(driver.shell.note().kind, panels::Note::Kind::error);
  EXPECT_THAT(driver.shell.note().text, HasSubstr("has no traces"));
  EXPECT_EQ(open_file(driver), "mlp_train.json.gz");
}

TEST_F(RanksInTheWindow, AFolderWithOneTraceOpensIt) {
  std::filesystem::remove(folder.path() / "late_loader_rank0.json.gz");
  Driver driver;
  open(driver);
  EXPECT_EQ(open_file(driver), "late_loader_rank1.json.gz");
  EXPECT_EQ(document(driver).ranks, nullptr);
  EXPECT_TRUE(driver.shell.opened().view.ranks.empty());
  EXPECT_EQ(driver.shell.opened().view.scene, document::overview_scene);
}

TEST_F(RanksInTheWindow, OpsAndWorkAreFollowedAndFramesHaveAnOpNearThem) {
  const trace::ReadResult read = trace::read_trace(folder.path() / "late_loader_rank1.json.gz");
  ASSERT_FALSE(read.error) << *read.error;
  const trace::Trace& trace = read.trace;
  const story::SliceId kernel = trace.kernel_order[5], op = trace.op_order[7];
  EXPECT_EQ(place_of(trace, kernel).follow, "kernel:5");
  EXPECT_EQ(place_of(trace, kernel).frame, story::no_slice);
  EXPECT_EQ(place_of(trace, op).follow, "op:7");
  for (story::SliceId s = 0; s < trace.slices.size(); ++s) {
    if (trace.name(s).find("load_batch") == std::string_view::npos) continue;
    const SlicePlace place = place_of(trace, s);
    EXPECT_EQ(place.frame, s);
    EXPECT_GE(place.until, trace.slices.end(s));
    const auto walk = story::follow(trace, place.follow);
    ASSERT_TRUE(walk) << walk.error();
    EXPECT_EQ(trace.name(walk->op), "aten::randn") << "what load_batch does after its sleep";
  }
  EXPECT_TRUE(place_of(trace, story::no_slice).follow.empty());
}

}  // namespace
}  // namespace warpwalk::shell
