// The windows of a presentation: the stage is on a screen that is not primary, the lecturer's window on the primary
// one.
#include "app/window/desktop/screens.h"

#include <gtest/gtest.h>

namespace warpwalk::window {
namespace {

const Area laptop = {0, 0, 1920, 1080}, projector = {1920, 0, 1280, 720}, wall = {-3840, 0, 3840, 2160};
const Area on_laptop = {10, 10, 1200, 700}, on_projector = {2000, 10, 1100, 600};

TEST(ScreensOfAPresentation, TheStageLeavesThePrimaryScreen) {
  for (const Area& window : {on_laptop, on_projector})
    EXPECT_EQ(placement({laptop, projector}, window, false), (Placement{projector, laptop}));
  // The projector can be the larger one, and can be on the left.
  EXPECT_EQ(placement({laptop, wall}, on_laptop, false), (Placement{wall, laptop}));
}

TEST(ScreensOfAPresentation, AKeySwapsThem) {
  EXPECT_EQ(placement({laptop, projector}, on_laptop, true), (Placement{laptop, projector}));
  EXPECT_EQ(placement({projector, laptop}, on_projector, true), (Placement{projector, laptop}));
}

TEST(ScreensOfAPresentation, OfSeveralOthersTheOneOfTheWindowIsTakenElseTheLargest) {
  EXPECT_EQ(placement({laptop, projector, wall}, on_laptop, false).stage, wall);
  EXPECT_EQ(placement({laptop, projector, wall}, on_projector, false).stage, projector);
  EXPECT_EQ(placement({laptop, projector, wall}, on_projector, true), (Placement{laptop, projector}));
}

TEST(ScreensOfAPresentation, ThereAreNoneIfThereIsOne) {
  EXPECT_EQ(placement({laptop}, on_laptop, false), Placement{});
  EXPECT_EQ(placement({}, on_laptop, true), Placement{});
  // A mirrored screen shows the same to the class.
  EXPECT_EQ(placement({laptop, {0, 0, 1280, 720}}, on_laptop, false), Placement{});
}

TEST(Screens, AWindowIsOnTheOneThatShowsMostOfIt) {
  EXPECT_EQ(screen_of({laptop, projector}, {1800, 0, 1280, 700}), projector);
  EXPECT_EQ(screen_of({laptop, projector}, on_laptop), laptop);
  EXPECT_EQ(screen_of({}, on_laptop), std::nullopt);
}

TEST(Screens, AWindowFitsIntoTheMiddle) {
  EXPECT_EQ(middle_of(projector, 1040, 680), (Area{2040, 20, 1040, 680}));
  EXPECT_EQ(middle_of(projector, 1600, 900), projector);
}

}  // namespace
}  // namespace warpwalk::window
