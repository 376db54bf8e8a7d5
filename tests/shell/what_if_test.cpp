// The page "What if": predictions of changes by keys, the changed trace as a document, and the way back.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;

class WhatIf : public ::testing::Test {
 protected:
  bool shows(std::string_view words) {
    const auto texts = driver.texts();
    return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
  }
  Driver driver{1280, 720};
};

TEST_F(WhatIf, TheListHasPredictionsWithTheirBasis) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'Y');
  EXPECT_EQ(driver.shell.sheet(), "what_if");
  driver.wait();
  EXPECT_TRUE(shows("A step would take")) << "the first line of advice is chosen";
  EXPECT_TRUE(shows("WHAT THIS RESTS ON"));
  driver.press(Key::end);
  driver.wait();
  EXPECT_TRUE(shows("The CPU is 2 times as fast"));
  EXPECT_TRUE(shows("cpu:x2 (derived from the trace)"));
  driver.press(U'Y');
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(WhatIf, TickedChangesArePredictedTogether) {
  driver.open(walk_file("mlp_train"));
  driver.press(U'Y');
  driver.press(Key::end);
  driver.press(Key::space);
  driver.press(Key::up);
  driver.wait();
  EXPECT_TRUE(shows("cpu:x2 (")) << "what is ticked stays";
  driver.press(Key::home);
  driver.press(Key::space);
  driver.wait();
  EXPECT_TRUE(shows("cpu:x2 ("));
  EXPECT_TRUE(shows("graph:step ("));
}

TEST_F(WhatIf, TheChangedTraceIsADocumentWithAWayBack) {
  driver.open(walk_file("mlp_train"));
  const std::string file = driver.shell.opened().view.file.string();
  driver.press(U'Y');
  driver.press(Key::end);
  driver.press(Key::enter);
  driver.wait();
  driver.settle();
  EXPECT_EQ(driver.shell.sheet(), "");
  ASSERT_NE(driver.shell.opened().document, nullptr);
  const document::Document& changed = *driver.shell.opened().document;
  EXPECT_TRUE(changed.unsaved);
  EXPECT_EQ(changed.file.string(), "predicted: mlp_train.json.gz with cpu:x2");
  EXPECT_EQ(changed.trace().text(changed.trace().tracks.front().process_name).substr(0, 9), "predicted");
  EXPECT_EQ(driver.shell.opened().view.compare.string(), file);
  driver.wait();
  EXPECT_NE(driver.shell.opened().compared, nullptr) << "it is compared with the recorded trace";
  driver.press(Key::escape);  // the hint
  if (driver.shell.opened().document->unsaved) driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "what_if");
  EXPECT_EQ(driver.shell.opened().document->file.string(), file);
  driver.wait();
  driver.press(Key::escape);
  EXPECT_EQ(driver.shell.sheet(), "");
}

TEST_F(WhatIf, TheOverviewListsPredictionsBesideTheBounds) {
  driver.open(walk_file("mlp_train"));
  View view = driver.shell.opened().view;
  view.scene = document::overview_scene;
  view.moment = {story::Moment::Kind::named, 1, 1, "change"};
  driver.ask(document::link_of(view));
  driver.wait();
  driver.settle();
  EXPECT_TRUE(shows("A STEP, PREDICTED") || shows("a step, predicted"));
}

TEST_F(WhatIf, APairForClassOpensOnItsQuestion) {
  driver.open(WARPWALK_SOURCE_DIR "/assets/what_if/h200_what_if_pinned.json.gz");
  EXPECT_EQ(driver.shell.opened().stage->scene, document::overview_scene);
  EXPECT_EQ(driver.shell.opened().stage->key, "made");
}

}  // namespace
}  // namespace warpwalk::shell
