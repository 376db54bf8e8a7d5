#include "app/panels/controls.h"

#include <gtest/gtest.h>

#include "app/draw/offscreen.h"
#include "app/draw/theme.h"
#include "tests/shell/driver.h"

namespace warpwalk::panels {
namespace {

using draw::Box;

// Three sliders and a choice; one of them is set, so the reset button is shown.
story::Stage stage_with_controls() {
  story::Stage stage;
  stage.scene = "launch";
  for (const char* name : {"blocks", "threads", "registers"}) {
    story::Control control;
    control.name = control.label = name;
    control.shown = "128";
    control.steps = {1, 2, 3};
    control.value = 2;
    stage.controls.push_back(control);
  }
  story::Control choice;
  choice.kind = story::Control::Kind::choice;
  choice.name = choice.label = "gpu";
  choice.words = {"recorded", "2", "8", "132"};
  choice.set = true;
  stage.controls.push_back(choice);
  return stage;
}

TEST(Controls, TakeMoreRowsWhereItIsNarrowAndNeverRunOverTheEdge) {
  std::string error;
  const auto offscreen = draw::Offscreen::open({}, error);
  ASSERT_TRUE(offscreen) << error;
  const story::Stage stage = stage_with_controls();
  const draw::Theme& theme = draw::dark_theme();
  float before = 1e6f;
  for (const float width : {320.0f, 420.0f, 620.0f, 900.0f, 1200.0f}) {
    float high = 0;
    const draw::Image image = offscreen->draw(1400, 400, theme.ground, [&](ImDrawList& list) {
      draw::Canvas canvas(list, offscreen->fonts(), theme, 1400, 400);
      high = controls_height(canvas, stage, width);
      draw::UiMemory memory;
      const draw::Input nothing;
      draw::Ui ui(canvas, nothing, memory, shell::english());
      controls(canvas, &ui, {40, 20, width, high}, stage);
    });
    EXPECT_LE(high, before) << width;
    before = high;
    // A slider's knob may extend by half its width.
    for (int y = 0; y < image.height; ++y)
      for (int x = static_cast<int>(40 + width) + 8; x < image.width; ++x)
        ASSERT_EQ(image.pixels[static_cast<std::size_t>(y * image.width + x)], image.pixels[0]) << width << " at " << x;
  }
  EXPECT_LT(before, 80);  // one row where there is room
}

}  // namespace
}  // namespace warpwalk::panels
