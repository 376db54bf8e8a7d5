// The text field, compared with a simple model: a caret and an anchor in a list of characters.
#include "app/draw/text/text_field.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/draw/offscreen.h"

namespace warpwalk::draw {
namespace {

using draw::Key;
using draw::KeyPress;

void type_letters(TextField& field, const std::u32string& text) {
  for (const char32_t c : text) field.type(c == U' ' ? KeyPress{Key::space} : KeyPress{Key::character, c});
}
KeyPress key(Key key, bool shift = false, bool control = false) { return {key, 0, control, shift}; }
KeyPress control_key(char32_t letter) { return {Key::character, letter, true}; }

TEST(TextField, TypesWhereTheCaretIs) {
  TextField field{"relu(a)"};
  type_letters(field, U" + b");
  EXPECT_EQ(field.text, "relu(a) + b");
  field.type(key(Key::home));
  type_letters(field, U"2 * ");
  EXPECT_EQ(field.text, "2 * relu(a) + b");
  field.type(key(Key::right));
  field.type(key(Key::del));
  field.type(key(Key::backspace));
  EXPECT_EQ(field.text, "2 * lu(a) + b");
  field.type(key(Key::end));
  field.type(key(Key::left, false, true));
  type_letters(field, U"ä");
  EXPECT_EQ(field.text, "2 * lu(a) + äb");
  field.type(key(Key::backspace));
  EXPECT_EQ(field.text, "2 * lu(a) + b");
}

TEST(TextField, WhatIsSelectedIsReplacedCopiedAndCut) {
  TextField field{"a @ b"};
  std::string copied;
  EXPECT_TRUE(field.type(control_key(U'c'), &copied));
  EXPECT_EQ(copied, "") << "nothing is selected";
  field.type(control_key(U'a'));
  EXPECT_TRUE(field.type(control_key(U'c'), &copied));
  EXPECT_EQ(copied, "a @ b");
  type_letters(field, U"c");
  EXPECT_EQ(field.text, "c");
  KeyPress paste = control_key(U'v');
  paste.pasted = " + a\n@\tb\r\n";
  field.type(paste);
  EXPECT_EQ(field.text, "c + a @ b ");
  field.type(key(Key::home));
  field.type(key(Key::right, true));
  EXPECT_TRUE(field.type(control_key(U'x'), &copied));
  EXPECT_EQ(copied, "c");
  EXPECT_EQ(field.text, " + a @ b ");
  EXPECT_FALSE(field.type(control_key(U'c'))) << "where nothing can be copied the key is another's";
  EXPECT_FALSE(field.type(control_key(U's'), &copied));
  EXPECT_FALSE(field.type(key(Key::up)));
}

TEST(TextField, ASelectionIsLeftByItsEnd) {
  TextField field{"abcd"};
  field.type(key(Key::home));
  field.type(key(Key::right));
  field.type(key(Key::right, true));
  field.type(key(Key::right, true));
  EXPECT_EQ(field.selected(), (std::pair<std::size_t, std::size_t>{1, 3}));
  field.type(key(Key::left));
  EXPECT_EQ(field.caret, 1u);
  EXPECT_EQ(field.anchor, 1u);
}

TEST(TextField, ATextDoesNotGrowForEver) {
  TextField field;
  KeyPress paste = control_key(U'v');
  for (int i = 0; i < 3000; ++i) paste.pasted += "ä";
  field.type(paste);
  EXPECT_EQ(field.text.size(), 4096u);
  field.type(paste);
  type_letters(field, U"x ");
  EXPECT_EQ(field.text.size(), 4096u);
  field.type(key(Key::backspace));
  type_letters(field, U"xyz");
  EXPECT_EQ(field.text.substr(4092), "äxy");
}

// The model: works on characters instead of bytes.
struct Model {
  std::u32string text;
  std::size_t caret = 0, anchor = 0;

  void put(const std::u32string& what) {
    const std::size_t from = std::min(caret, anchor), to = std::max(caret, anchor);
    text.replace(from, to - from, what);
    caret = anchor = from + what.size();
  }
  void go(std::size_t place, bool shift) {
    caret = place;
    if (!shift) anchor = place;
  }
};

std::string utf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text)
    out += c == U'a'   ? "a"
           : c == U'é' ? "\xc3\xa9"
           : c == U'@' ? "@"
           : c == U'€' ? "\xe2\x82\xac"
           : c == U' ' ? " "
                       : "\xf0\x9f\x99\x82";
  return out;
}

TEST(TextField, RandomKeysDoWhatTheyDoToAListOfCharacters) {
  std::mt19937 random(7);
  const std::u32string letters = U"aé@€ 🙂";
  for (int round = 0; round < 200; ++round) {
    TextField field;
    Model model;
    for (int step = 0; step < 60; ++step) {
      const bool shift = random() % 3 == 0;
      const bool some = model.caret != model.anchor;
      switch (random() % 11) {
        case 0:
        case 1:
        case 2: {
          const char32_t c = letters[random() % letters.size()];
          field.type({Key::character, c});
          model.put({c});
          break;
        }
        case 3:
          field.type(key(Key::backspace));
          if (!some && model.caret > 0) --model.anchor;
          model.put(U"");
          break;
        case 4:
          field.type(key(Key::del));
          if (!some && model.caret < model.text.size()) ++model.anchor;
          model.put(U"");
          break;
        case 5:
          field.type(key(Key::left, shift));
          if (some && !shift)
            model.go(std::min(model.caret, model.anchor), false);
          else
            model.go(model.caret - (model.caret > 0), shift);
          break;
        case 6:
          field.type(key(Key::right, shift));
          if (some && !shift)
            model.go(std::max(model.caret, model.anchor), false);
          else
            model.go(model.caret + (model.caret < model.text.size()), shift);
          break;
        case 7: field.type(key(Key::home, shift)), model.go(0, shift); break;
        case 8: field.type(key(Key::end, shift)), model.go(model.text.size(), shift); break;
        case 9:
          field.type(control_key(U'a'));
          model.anchor = 0;
          model.caret = model.text.size();
          break;
        default: {
          std::string cut;
          field.type(control_key(U'x'), &cut);
          const std::size_t from = std::min(model.caret, model.anchor), to = std::max(model.caret, model.anchor);
          EXPECT_EQ(cut, utf8(model.text.substr(from, to - from)));
          model.put(U"");
        }
      }
      ASSERT_EQ(field.text, utf8(model.text));
      ASSERT_EQ(field.text.substr(0, field.caret), utf8(model.text.substr(0, model.caret)));
      ASSERT_EQ(field.text.substr(0, field.anchor), utf8(model.text.substr(0, model.anchor)));
    }
  }
}

TEST(TextField, WordsAreSteppedOverAndDeleted) {
  TextField field{"relu(a_1 @ bé) * 2"};
  std::vector<std::size_t> places;
  field.type(key(Key::home));
  while (field.caret < field.text.size()) field.type(key(Key::right, false, true)), places.push_back(field.caret);
  EXPECT_EQ(places, (std::vector<std::size_t>{4, 8, 14, 19}));
  places.clear();
  while (field.caret > 0) field.type(key(Key::left, false, true)), places.push_back(field.caret);
  EXPECT_EQ(places, (std::vector<std::size_t>{18, 11, 5, 0}));
  field.type(key(Key::del, false, true));
  EXPECT_EQ(field.text, "(a_1 @ bé) * 2");
  field.type(key(Key::end));
  field.type(key(Key::backspace, false, true));
  EXPECT_EQ(field.text, "(a_1 @ bé) * ");
}

constexpr draw::Box box = {10, 10, 200, 34};

void expect_nearest_places(const draw::Canvas& canvas) {
  for (const std::string& text : {std::string("a @ bé + 🙂"), std::string(300, 'm') + "é" + std::string(300, 'i')}) {
    for (const std::size_t caret : {std::size_t{0}, text.size() / 2 - 1, text.size()}) {
      TextField field{text};
      field.caret = field.anchor = std::min(caret, text.size());
      const float left = text_left(canvas, box, field);
      for (float x = box.x - 20; x < box.right() + 20; x += 7) {
        // The nearest position at which a character begins.
        std::size_t nearest = 0;
        float best = 1e9f;
        for (std::size_t place = 0; place <= text.size(); ++place) {
          if (place < text.size() && (text[place] & 0xc0) == 0x80) continue;
          const float away = std::abs(left + canvas.text_width(draw::Style::label, text.substr(0, place)) - x);
          if (away < best) best = away, nearest = place;
        }
        ASSERT_EQ(place_at(canvas, box, field, x), nearest) << text.size() << " at " << x;
      }
    }
  }
}

// A press and a drag with the button held, in two frames.
void expect_selecting(draw::Canvas& canvas) {
  TextField field{"a @ b"};
  const story::Narration words;
  draw::UiMemory memory;
  draw::Input input;
  input.mouse = {box.x + 11, box.y + 10};
  input.mouse_down = input.mouse_pressed = true;
  for (const float x : {input.mouse.x, box.right() - 5}) {
    input.mouse.x = x;
    draw::Ui ui(canvas, input, memory, words);
    point_field(ui, "field", box, field);
    input.mouse_pressed = false;
  }
  EXPECT_EQ(field.selected(), (std::pair<std::size_t, std::size_t>{0, 5}));
  EXPECT_EQ(field.caret, 5u);
  input.mouse_down = false;
  input.mouse.x = box.x + 11;
  draw::Ui ui(canvas, input, memory, words);
  point_field(ui, "field", box, field);
  EXPECT_EQ(field.caret, 5u) << "the button is up";
}

TEST(TextField, ThePointerPutsTheCaretAndSelects) {
  const auto opened = draw::Offscreen::open({});
  ASSERT_TRUE(opened) << opened.error();
  draw::Offscreen& offscreen = **opened;
  offscreen.play(400, 200, [&](ImDrawList& list) {
    draw::Canvas canvas(list, offscreen.fonts(), draw::dark_theme(), 400, 200);
    expect_nearest_places(canvas);
    expect_selecting(canvas);
  });
}

}  // namespace
}  // namespace warpwalk::draw
