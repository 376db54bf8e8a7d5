#include "app/panels/controls.h"

#include <set>

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
  const auto opened = draw::Offscreen::open({});
  ASSERT_TRUE(opened) << opened.error();
  draw::Offscreen& offscreen = **opened;
  const story::Stage stage = stage_with_controls();
  const draw::Theme& theme = draw::dark_theme();
  float one_row = 80;
  for (const ControlNames names : {ControlNames::above, ControlNames::beside}) {
    float before = 1e6f;
    for (const float width : {320.0f, 420.0f, 620.0f, 900.0f, 1200.0f}) {
      float high = 0;
      const draw::Image image = offscreen.draw(1400, 400, theme.ground, [&](ImDrawList& list) {
        draw::Canvas canvas(list, offscreen.fonts(), theme, 1400, 400);
        high = controls_height(canvas, stage, width, names);
        draw::UiMemory memory;
        const draw::Input nothing;
        draw::Ui ui(canvas, nothing, memory, shell::english());
        controls(canvas, &ui, {40, 20, width, high}, stage, names);
      });
      EXPECT_LE(high, before) << width;
      before = high;
      // A slider's knob may extend by half its width.
      for (int y = 0; y < image.height; ++y)
        for (int x = static_cast<int>(40 + width) + 8; x < image.width; ++x)
          ASSERT_EQ(image.pixels[static_cast<std::size_t>(y * image.width + x)], image.pixels[0])
              << width << " at " << x;
    }
    EXPECT_LT(before, one_row);  // one row where there is room
    one_row = 0.6f * before;     // beside their names, they are flatter
  }
}

// The same hands answer in both forms: a click on the middle of a slider sets it, a click on a word chooses it.
TEST(Controls, AnswerTheHandInBothForms) {
  const auto opened = draw::Offscreen::open({});
  ASSERT_TRUE(opened) << opened.error();
  draw::Offscreen& offscreen = **opened;
  const story::Stage stage = stage_with_controls();
  for (const ControlNames names : {ControlNames::above, ControlNames::beside}) {
    std::set<std::string> answered;
    const float y = names == ControlNames::above ? 20 + 41 : 20 + 19;
    for (float x = 44; x < 1240; x += 12) {
      draw::UiMemory memory;
      for (const bool down : {true, false}) {
        draw::Input input;
        input.mouse = {x, y};
        input.mouse_pressed = input.mouse_down = down;
        input.mouse_released = !down;
        offscreen.draw(1400, 200, draw::dark_theme().ground, [&](ImDrawList& list) {
          draw::Canvas canvas(list, offscreen.fonts(), draw::dark_theme(), 1400, 200);
          draw::Ui ui(canvas, input, memory, shell::english());
          for (const auto& [name, value] : controls(canvas, &ui, {40, 20, 1200, 62}, stage, names).set)
            if (value) answered.insert(name);
          ui.finish();
        });
      }
    }
    EXPECT_EQ(answered, (std::set<std::string>{"launch.blocks", "launch.gpu", "launch.registers", "launch.threads"}));
  }
}

// The controls of a stage in a window of their own, as the shell draws them.
class Field : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = draw::Offscreen::open({});
    ASSERT_TRUE(opened) << opened.error();
    offscreen = *std::move(opened);
    stage.scene = "lab/some";
    story::Control line;
    line.kind = story::Control::Kind::text;
    line.name = line.label = "line";
    line.max_bytes = 12;
    line.resets = {"example"};
    stage.controls.push_back(line);
    story::Control example;
    example.kind = story::Control::Kind::choice;
    example.name = example.label = "example";
    example.words = {"one", "two"};
    stage.controls.push_back(example);
  }
  // One frame; what was typed becomes the control's text, as in the shell.
  pictures::Touch frame(std::vector<draw::KeyPress> keys, bool click = false) {
    draw::Input input;
    input.keys = std::move(keys);
    input.mouse = click ? draw::Point{60, 60} : draw::Point{-1, -1};
    input.mouse_pressed = input.mouse_down = click;
    pictures::Touch touch;
    offscreen->draw(900, 200, draw::dark_theme().ground, [&](ImDrawList& list) {
      draw::Canvas canvas(list, offscreen->fonts(), draw::dark_theme(), 900, 200);
      draw::Ui ui(canvas, input, memory, shell::english());
      touch = controls(canvas, &ui, {40, 20, 800, 62}, stage);
      ui.finish();
    });
    for (const auto& [name, text] : touch.texts) {
      stage.controls[0].shown = text;
      stage.controls[0].set = true;
    }
    return touch;
  }
  static draw::KeyPress letter(char32_t c) { return {draw::Key::character, c}; }

  std::unique_ptr<draw::Offscreen> offscreen;
  story::Stage stage;
  draw::UiMemory memory;
};

TEST_F(Field, TakesWhatIsTypedOnceItHasTheFocus) {
  EXPECT_TRUE(frame({letter(U'x')}).texts.empty()) << "it has no focus";
  EXPECT_FALSE(memory.takes_text);
  frame({}, true);
  EXPECT_TRUE(memory.takes_text);
  const pictures::Touch typed = frame({letter(U'a'), {draw::Key::space}, letter(U'@')});
  ASSERT_EQ(typed.texts.size(), 1u);
  EXPECT_EQ(typed.texts[0], std::pair(std::string("lab/some.line"), std::string("a @")));
  ASSERT_EQ(typed.set.size(), 1u) << "the example is reset";
  EXPECT_EQ(typed.set[0].first, "lab/some.example");
  EXPECT_FALSE(typed.set[0].second);
  // The caret is kept from one frame to the next.
  frame({{draw::Key::left}});
  frame({letter(U'+')});
  EXPECT_EQ(stage.controls[0].shown, "a +@");
  EXPECT_TRUE(frame({}).texts.empty());
  frame({{draw::Key::tab}});
  EXPECT_FALSE(memory.takes_text) << "the choice has the focus";
  EXPECT_TRUE(frame({letter(U'x')}).texts.empty());
}

TEST_F(Field, HoldsNoMoreThanItsLength) {
  frame({}, true);
  draw::KeyPress paste = {draw::Key::character, U'v', true};
  paste.pasted = "0123456789ä23456";
  frame({paste});
  EXPECT_EQ(stage.controls[0].shown, "0123456789ä");
  frame({letter(U'x')});
  EXPECT_EQ(stage.controls[0].shown, "0123456789ä");
  frame({letter(U'x'), {draw::Key::backspace}, letter(U'b')});
  EXPECT_EQ(stage.controls[0].shown, "0123456789b");
}

}  // namespace
}  // namespace warpwalk::panels
