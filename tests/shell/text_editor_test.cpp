// The editor of the Kernel lab: keys, selection, undo, tabs, bounds.
#include "app/draw/text/text_editor.h"

#include <random>

#include <gtest/gtest.h>

namespace warpwalk::draw {
namespace {

using draw::Key;
using draw::KeyPress;

void press(TextEditor& editor, Key key, bool control = false, bool shift = false) {
  editor.type({key, 0, control, shift}, 10, nullptr);
}
void type_text(TextEditor& editor, std::string_view text) {
  for (const char c : text) {
    if (c == '\n')
      press(editor, Key::enter);
    else if (c == ' ')
      press(editor, Key::space);
    else
      editor.type({Key::character, static_cast<char32_t>(c)}, 10, nullptr);
  }
}
void press_control(TextEditor& editor, char32_t c, std::string* copied = nullptr, std::string pasted = "") {
  editor.type({Key::character, c, true, false, std::move(pasted)}, 10, copied);
}

TEST(TextEditor, LinesKeepTheirIndentation) {
  TextEditor editor;
  type_text(editor, "void f() {\n  a;\nb;");
  EXPECT_EQ(editor.text(), "void f() {\n  a;\n  b;");
  EXPECT_EQ(editor.lines().size(), 3u);
  EXPECT_EQ(editor.lines()[1], "  a;");
  press(editor, Key::home);
  EXPECT_EQ(editor.lines().column_of(editor.caret()), 2u);
  press(editor, Key::home);
  EXPECT_EQ(editor.lines().column_of(editor.caret()), 0u);
}

TEST(TextEditor, TheCaretMovesByLinesPagesAndWords) {
  TextEditor editor("abc def\nx\nlonger line\n");
  press(editor, Key::end);
  EXPECT_EQ(editor.caret(), 7u);
  press(editor, Key::down);
  EXPECT_EQ(editor.lines().line_of(editor.caret()), 1u);
  EXPECT_EQ(editor.lines().column_of(editor.caret()), 1u);
  press(editor, Key::end, true);
  EXPECT_EQ(editor.caret(), editor.text().size());
  press(editor, Key::page_up);
  EXPECT_EQ(editor.caret(), 0u);
  press(editor, Key::right, true);
  EXPECT_EQ(editor.caret(), 3u);
  press(editor, Key::home, true);
  press(editor, Key::up);
  EXPECT_EQ(editor.caret(), 0u);
}

TEST(TextEditor, SelectionCopiesCutsAndPastes) {
  TextEditor editor("one\ntwo\nthree");
  std::string copied;
  press(editor, Key::down, false, true);
  EXPECT_EQ(editor.selected(), (std::pair<std::size_t, std::size_t>{0, 4}));
  press_control(editor, U'x', &copied);
  EXPECT_EQ(copied, "one\n");
  EXPECT_EQ(editor.text(), "two\nthree");
  press(editor, Key::end, true);
  press_control(editor, U'v', nullptr, "\r\nx\x01y\tz");
  EXPECT_EQ(editor.text(), "two\nthree\nxy\tz");
  press_control(editor, U'a');
  press(editor, Key::del);
  EXPECT_EQ(editor.text(), "");
  EXPECT_EQ(editor.lines().size(), 1u);
}

TEST(TextEditor, UndoAndRedo) {
  TextEditor editor("start");
  press(editor, Key::end);
  type_text(editor, "abc");
  press(editor, Key::enter);
  type_text(editor, "def");
  press_control(editor, U'z');
  EXPECT_EQ(editor.text(), "startabc\n");
  press_control(editor, U'z');
  EXPECT_EQ(editor.text(), "startabc");
  press_control(editor, U'z');
  EXPECT_EQ(editor.text(), "start");
  press_control(editor, U'y');
  press_control(editor, U'y');
  press_control(editor, U'y');
  press_control(editor, U'y');
  EXPECT_EQ(editor.text(), "startabc\ndef");
}

TEST(TextEditor, TabsTakeColumns) {
  TextEditor editor("\tab\tc");
  EXPECT_EQ(editor.lines().column_of(1), 4u);
  EXPECT_EQ(editor.lines().column_of(4), 8u);
  EXPECT_EQ(editor.lines().place_at(0, 5), 2u);
  EXPECT_EQ(visible_part(editor.lines()[0], 0, 20), "    ab  c");
  EXPECT_EQ(visible_part(editor.lines()[0], 5, 2), "b ");
}

TEST(TextEditor, AnyKeysKeepItWhole) {
  std::mt19937 random(7);
  TextEditor editor;
  const Key keys[] = {Key::left, Key::right, Key::up,    Key::down,      Key::home,    Key::end,
                      Key::del,  Key::enter, Key::space, Key::backspace, Key::page_up, Key::page_down};
  std::string copied;
  for (int i = 0; i < 20000; ++i) {
    const bool shift = random() % 3 == 0, ctrl = random() % 4 == 0;
    if (random() % 2 == 0)
      editor.type({keys[random() % std::size(keys)], 0, ctrl, shift}, 5, &copied);
    else
      editor.type({Key::character, U"aé漢\U0001f600{z"[random() % 6], ctrl && random() % 3 == 0, shift, "p\nq\t漢"}, 5,
                  &copied);
    ASSERT_LE(editor.caret(), editor.text().size());
    ASSERT_TRUE(editor.caret() == editor.text().size() ||
                (static_cast<unsigned char>(editor.text()[editor.caret()]) & 0xc0) != 0x80);
    ASSERT_EQ(editor.lines().place_at(editor.lines().line_of(editor.caret()), editor.lines().column_of(editor.caret())),
              editor.caret());
  }
}

TEST(TextEditor, ItsLengthIsBounded) {
  TextEditor editor;
  press_control(editor, U'v', nullptr, std::string(2 * TextEditor::max_bytes, 'x'));
  EXPECT_EQ(editor.text().size(), TextEditor::max_bytes);
  type_text(editor, "more\n");
  EXPECT_EQ(editor.text().size(), TextEditor::max_bytes);
  std::string wide;
  while (wide.size() < TextEditor::max_bytes + 10) wide += "漢";
  editor.set_text(wide);
  EXPECT_LE(editor.text().size(), TextEditor::max_bytes);
  EXPECT_EQ(editor.text().size() % 3, 0u);
}

TEST(TextEditor, TheCaretStaysInView) {
  TextEditor editor("a\nb\nc\nd\ne\nf");
  press(editor, Key::end, true);
  editor.show_caret(3, 10);
  EXPECT_EQ(editor.top, 3u);
  press(editor, Key::home, true);
  editor.show_caret(3, 10);
  EXPECT_EQ(editor.top, 0u);
}

}  // namespace
}  // namespace warpwalk::draw
