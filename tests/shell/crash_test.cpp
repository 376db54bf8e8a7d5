// A GPU core dump in the window: it opens on its scene, and keys step through its beats.
#include <string>

#include <gmock/gmock-matchers.h>
#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::shell {
namespace {

using draw::Key;
using ::testing::HasSubstr;

const std::string dump_of_shared = WARPWALK_SOURCE_DIR "/tests/crash/data/shared.core.gz";

TEST(CrashInTheWindow, ADumpOpensOnWhatFailed) {
  Driver driver;
  driver.open(dump_of_shared);
  const pages::Opened& opened = driver.shell.opened();
  ASSERT_NE(opened.document, nullptr);
  EXPECT_NE(opened.document->dump, nullptr);
  EXPECT_EQ(opened.view.scene, "crash");
  ASSERT_TRUE(opened.stage);
  EXPECT_EQ(opened.stage->key, "what");
  EXPECT_THAT(opened.stage->sentence, HasSubstr("thread (40,0,0)"));
}

TEST(CrashInTheWindow, ArrowKeysStepThroughItsBeats) {
  Driver driver;
  driver.open(dump_of_shared);
  for (const char* const beat : {"blocks", "warps", "lanes", "registers", "memory", "code"}) {
    driver.press(Key::right);
    driver.wait();
    EXPECT_EQ(driver.shell.opened().stage->key, beat);
  }
}

}  // namespace
}  // namespace warpwalk::shell
