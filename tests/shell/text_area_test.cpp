// A field for running text: its rows, and the keys that go by them.
#include "app/draw/text/text_area.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tests/shell/driver.h"

namespace warpwalk::draw {
namespace {

using shell::english;

// A field of 300 x 120 units that has the focus.
class TextArea : public ::testing::Test {
 protected:
  // Draws frames, one for each key, and `look` at the canvas.
  void frame(const std::vector<KeyPress>& keys, const std::function<void(const Canvas&)>& look = {}) {
    screen->draw(400, 200, 0xff000000, [&](ImDrawList& list) {
      Canvas canvas(list, screen->fonts(), theme, 400, 200);
      input.keys = keys;
      Ui ui(canvas, input, memory, english());
      text_area(ui, "area", box, editor, "hint");
      ui.finish();
      input.keys.clear();
      if (look) look(canvas);
    });
  }
  void press(Key key, bool shift = false) { frame({{key, 0, false, shift}}); }
  void type(const std::string& text) {
    for (const char c : text) {
      if (c == '\n')
        press(Key::enter);
      else if (c == ' ')
        press(Key::space);
      else
        frame({{Key::character, static_cast<char32_t>(c)}});
    }
  }

  std::unique_ptr<Offscreen> screen = [] {
    Offscreen::Options options;
    options.fonts.only_text = "";
    auto opened = Offscreen::open(options);
    EXPECT_TRUE(opened) << opened.error();
    return *std::move(opened);
  }();
  const Theme theme = theme_named("dark").value_or(Theme{});
  const Box box = {10, 10, 300, 120};
  Input input;
  UiMemory memory{.focus = "area"};
  TextEditor editor;
};

TEST_F(TextArea, RowsHaveEveryByteAndFit) {
  std::mt19937 rng(5);
  const std::vector<std::string> parts = {"warp", " ", "  ", "\n", "é", "→", "averyverylongwordthatfitsinnorowatall",
                                          "x"};
  frame({}, [&](const Canvas& canvas) {
    for (int round = 0; round < 300; ++round) {
      std::string text;
      for (std::size_t i = rng() % 40; i > 0; --i) text += parts[rng() % parts.size()];
      const float width = 40 + static_cast<float>(rng() % 200);
      const std::vector<TextRow> rows = text_rows(canvas, Style::label, text, width);
      std::size_t at = 0;
      for (const TextRow& row : rows) {
        if (row.begin != at) {
          ASSERT_EQ(row.begin, at + 1);
          ASSERT_EQ(text[at], '\n');
        }
        at = row.end;
        std::string shown = text.substr(row.begin, row.end - row.begin);
        EXPECT_EQ(shown.find('\n'), std::string::npos);
        while (shown.ends_with(' ')) shown.pop_back();
        EXPECT_LE(canvas.text_width(Style::label, shown), width + 0.01f) << shown;
      }
      EXPECT_EQ(at, text.size());
    }
  });
}

TEST_F(TextArea, UpAndDownGoByRowsOnScreen) {
  type("one two three four five six seven eight nine ten eleven twelve");
  std::size_t rows = 0;
  frame({}, [&](const Canvas& canvas) { rows = text_rows(canvas, Style::label, editor.text(), 274).size(); });
  ASSERT_GE(rows, 2u);
  const std::size_t end = editor.caret();
  press(Key::up);
  const std::size_t above = editor.caret();
  EXPECT_LT(above, end);
  EXPECT_GT(above, 0u);
  press(Key::down);
  EXPECT_EQ(editor.caret(), end);
  press(Key::home);
  EXPECT_LT(editor.caret(), end);
  EXPECT_EQ(editor.text()[editor.caret() - 1], ' ');  // at the begin of the row, not of the text
  press(Key::end, true);
  EXPECT_EQ(editor.selected().second, end);
  for (std::size_t i = 0; i < rows; ++i) press(Key::up);
  EXPECT_EQ(editor.caret(), 0u);
}

TEST_F(TextArea, LeavesUndoToThePageAndShowsTheCaret) {
  type("a\nb\nc\nd\ne\nf\ng\nh\ni\nj");
  EXPECT_GT(editor.top, 0u);
  frame({{Key::character, U'z', true}});
  EXPECT_EQ(editor.text().size(), 19u);
  for (int i = 0; i < 12; ++i) press(Key::up);
  EXPECT_EQ(editor.top, 0u);
  frame({{Key::character, U'a', true}});
  press(Key::del);
  EXPECT_EQ(editor.text(), "");
}

}  // namespace
}  // namespace warpwalk::draw
