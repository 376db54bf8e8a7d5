// The lecturer's window opens on a screen that the class does not see, or minimised.
#include "app/window/desktop/screens.h"

#include <gtest/gtest.h>

namespace warpwalk::window {
namespace {

TEST(OtherScreen, IsNotTheOneOfTheWindow) {
  const Area laptop = {0, 0, 1920, 1080}, projector = {1920, 0, 1280, 720};
  EXPECT_EQ(other_screen({laptop, projector}, {2000, 10, 1200, 700}), laptop);
  EXPECT_EQ(other_screen({laptop, projector}, {10, 10, 1200, 700}), projector);
  EXPECT_EQ(other_screen({laptop, projector}, {1800, 0, 1280, 700}), laptop);  // most of it is on the projector
}

TEST(OtherScreen, IsNoneIfThereIsOne) {
  const Area laptop = {0, 0, 1920, 1080};
  EXPECT_EQ(other_screen({laptop}, {10, 10, 1200, 700}), std::nullopt);
  EXPECT_EQ(other_screen({}, {10, 10, 1200, 700}), std::nullopt);
  // A mirrored screen shows the same to the class.
  EXPECT_EQ(other_screen({laptop, {0, 0, 1280, 720}}, {10, 10, 1200, 700}), std::nullopt);
}

}  // namespace
}  // namespace warpwalk::window
